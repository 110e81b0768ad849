"""Sources of candidates, one module each, all of one shape: the `Proposer` protocol in `protocol.py`."""
