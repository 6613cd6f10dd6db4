"""Pictures of answers, as SVG and HTML: the same ones for the page of a server and for notebooks.

No scripts, no styles inside the markup: classes name what a part is, and `pictures.css` says how it looks.
"""
