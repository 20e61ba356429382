"""`make image-check`: builds the container image, starts it with Compose as the pages say, uses it
as people and programs do, takes its databases away, restores it, and removes all of it again.

Not part of `make test`: it takes minutes, and needs a container engine, or Debian and root to bring
one up. After `IMAGE_CHECK_SECONDS` it begins nothing further. `IMAGE_CHECK_CACHE` is the folder in
which an engine of its own keeps what it has downloaded and built.
"""
