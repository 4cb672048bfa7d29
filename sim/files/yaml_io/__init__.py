"""What users write into files: read with its lines, held to a model, and refused so that it can be mended."""
