"""`make citus-check`: moves a database onto Citus and uses it there.

Not part of `make test`: it needs the source of Citus, which no package index has, and a compiler.
"""
