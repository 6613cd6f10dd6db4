"""Conversion of types that the protocol does not have (yet)."""

from __future__ import annotations

from dataclasses import dataclass

from google.protobuf.descriptor_pb2 import DescriptorProto, FieldDescriptorProto, FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass

from proofbase.service.convert import from_message, to_message


@dataclass(frozen=True, slots=True)
class Tree:
    name: str
    first: Tree | None = None
    branches: tuple[Tree, ...] = ()


def test_a_type_that_contains_itself_is_converted() -> None:
    field = FieldDescriptorProto
    one, many = field.LABEL_OPTIONAL, field.LABEL_REPEATED
    fields = [
        field(name="name", number=1, type=field.TYPE_STRING, label=one),
        field(name="first", number=2, type=field.TYPE_MESSAGE, type_name=".trees.Tree", label=one),
        field(name="branches", number=3, type=field.TYPE_MESSAGE, type_name=".trees.Tree", label=many),
    ]
    message = DescriptorProto(name="Tree", field=fields)
    pool = DescriptorPool()
    pool.Add(FileDescriptorProto(name="trees.proto", package="trees", syntax="proto3", message_type=[message]))
    kind = GetMessageClass(pool.FindMessageTypeByName("trees.Tree"))
    tree = Tree("root", Tree("a", None, (Tree("b"),)), (Tree("c"), Tree("d", Tree("e"))))
    assert from_message(kind.FromString(to_message(tree, kind).SerializeToString()), Tree) == tree
