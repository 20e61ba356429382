"""The document store: exact JSON by namespace and key, for frameworks and programs.

``admission`` says what may be stored, ``writing`` stores and deletes it, ``search`` finds it by
words and by meaning, ``namespaces`` lists what there is.
"""
