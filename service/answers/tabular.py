"""Answers as Arrow tables and data frames of pandas: optional packages, imported when somebody asks for them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from importlib import import_module
from typing import Any

__all__ = ["Tabular", "pandas_frame", "pyarrow"]


def pyarrow(module: str = "pyarrow") -> Any:
    """The package pyarrow, or a module of it.

    Raises:
        ModuleNotFoundError: it is not installed.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError:
        raise ModuleNotFoundError("Arrow tables and Parquet need pyarrow: pip install 'proofbase[arrow]'") from None


def pandas_frame(table: Any) -> Any:
    """A data frame with the columns of an Arrow table; whole numbers may be missing (`Int32` and the like).

    Raises:
        ModuleNotFoundError: pandas is not installed.
    """
    try:
        pandas = import_module("pandas")
    except ModuleNotFoundError:
        raise ModuleNotFoundError("data frames need pandas: pip install 'proofbase[pandas]'") from None
    kinds = {
        pyarrow().int32(): pandas.Int32Dtype(),
        pyarrow().uint32(): pandas.UInt32Dtype(),
        pyarrow().uint64(): pandas.UInt64Dtype(),
        pyarrow().bool_(): pandas.BooleanDtype(),
    }
    return table.to_pandas(types_mapper=kinds.get)


class Tabular(ABC):
    """Answers that are rows of a table."""

    __slots__ = ()

    @abstractmethod
    def to_arrow(self) -> Any:
        """The answers as a `pyarrow.Table`, a row for each. What is not known is null.

        Raises:
            ModuleNotFoundError: pyarrow is not installed.
        """

    def to_pandas(self) -> Any:
        """The answers as a `pandas.DataFrame`, with the columns of `to_arrow`.

        Raises:
            ModuleNotFoundError: pandas, or pyarrow, is not installed.
        """
        return pandas_frame(self.to_arrow())
