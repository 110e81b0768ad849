"""Language models behind one small protocol (`model.py`): a module each, real SDKs underneath.

They know nothing of circuits or search: a question in, an answer with its cost out, or a `ModelError` that says what
the user can do.
"""
