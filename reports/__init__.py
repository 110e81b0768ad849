"""Can a person review it: diffs and hunks, Markdown, HTML and patch files, and their templates.

Start at `review.py` (what a review holds), then `write.py` (the files a run leaves behind).
"""
