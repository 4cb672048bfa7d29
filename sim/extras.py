"""Optional packages, which are installed with extras such as `pip install "hardmode[xlsx]"`."""

from __future__ import annotations


def explain_missing_extra(purpose: str, package: str, extra: str) -> str:
    """Return what to install where an optional package is missing.

    Args:
        purpose: What needs the package, as in "to write a workbook".
        package: The name of the package.
        extra: The extra of hardmode that installs it.

    Example:
        >>> explain_missing_extra("to write a workbook", "openpyxl", "xlsx")
        'to write a workbook, install openpyxl: pip install "hardmode[xlsx]"'
    """
    return f'{purpose}, install {package}: pip install "hardmode[{extra}]"'
