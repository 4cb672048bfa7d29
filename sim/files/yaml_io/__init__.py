"""YAML files of users: read with line numbers, validated by pydantic, refused with both."""
