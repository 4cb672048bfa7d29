"""Files on disk: atomic writes, checksums, compression, storage and YAML input."""
