"""Rewrites an ONNX model with int8 weights so that it multiplies integers. Pure.

Such a model turns its weights into floats when it is loaded, which takes four times the memory, and
multiplies floats. Rewritten, it quantizes what each layer is given, multiplies integers, and scales
the result: dynamic quantization, as ONNX Runtime's documentation describes it. Of an embedding
table, only the rows in use become floats.

What a layer is given is quantized by the range of the whole batch. Run one text at a time, so that
its vector depends on nothing else.
"""

from collections.abc import Iterator

import numpy as np
import onnx
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, helper, numpy_helper

#: Without special instructions, x86 processors add two products of 8 bits in 16 bits, which can
#: overflow. With weights of 7 bits it cannot: all processors compute the same products.
LARGEST_WEIGHT = 63


def multiply_integers(model: bytes) -> Iterator[bytes]:
    """Yield the serialized *model* with products of integers, in pieces: at once, it would take
    another 60 MB.
    """
    proto = onnx.load_model_from_string(model)
    # The caller holds no reference either: 23 MB less while the rest is done.
    del model
    nodes = _needed(proto, list(_Rewriting(proto).nodes()))
    del proto.graph.node[:]
    proto.graph.node.extend(nodes)
    tensors = list(proto.graph.initializer)
    del proto.graph.initializer[:]
    yield proto.SerializeToString()
    for tensor in tensors:
        yield serialised(tensor)


def serialised(tensor: TensorProto) -> bytes:
    """Return a model that has *tensor* and nothing else. Of messages in a row, the lists are
    joined: see "Last One Wins" in the documentation of the encoding of Protocol Buffers.
    """
    content: bytes = ModelProto(graph=GraphProto(initializer=[tensor])).SerializeToString()
    return content


def _needed(proto: ModelProto, nodes: list[NodeProto]) -> list[NodeProto]:
    """Return the nodes on which the results depend. While the model is loaded, the others would be
    computed first, and turn all weights into floats: 360 MB instead of 140.
    """
    names = {result.name for result in proto.graph.output}
    kept = []
    for node in reversed(nodes):
        if names.intersection(node.output):
            kept.append(node)
            names.update(node.input)
    return kept[::-1]


class _Rewriting:
    def __init__(self, proto: ModelProto) -> None:
        self._nodes = list(proto.graph.node)
        self._made_by = {name: node for node in self._nodes for name in node.output}
        self._tensors = {tensor.name: tensor for tensor in proto.graph.initializer}
        #: The names of what was quantized already: several layers are given the same.
        self._quantized: set[str] = set()

    def nodes(self) -> Iterator[NodeProto]:
        """Yield the nodes of the new graph, in an order in which they can be computed. Nodes of the
        old one that nothing needs any more are among them.
        """
        for node in self._nodes:
            if node.op_type == "MatMul" and (weights := self._int8(node.input[1])):
                yield from self._product(node, *weights)
            elif node.op_type == "Gather" and (table := self._int8(node.input[0])):
                yield from _rows(node, *table)
            else:
                yield node

    def _int8(self, name: str) -> tuple[str, str] | None:
        """The names of the int8 tensor and of the scales whose product is *name*, if it is one."""
        product = self._made_by.get(name)
        if product is None or product.op_type != "Mul":
            return None
        cast = self._made_by.get(product.input[0])
        if cast is None or cast.op_type != "Cast" or cast.input[0] not in self._tensors:
            return None
        return cast.input[0], product.input[1]

    def _product(self, node: NodeProto, weights: str, scales: str) -> Iterator[NodeProto]:
        (given, _), (result,) = node.input, node.output
        quantized = [f"{given}_{part}" for part in ("quantized", "scale", "zero")]
        if given not in self._quantized:
            self._quantized.add(given)
            yield helper.make_node("DynamicQuantizeLinear", [given], quantized)
        self._shrink(weights, scales)
        integers, scale, zero = quantized
        yield helper.make_node("MatMulInteger", [integers, weights, zero], [f"{result}_sum"])
        yield helper.make_node("Mul", [scale, scales], [f"{result}_scale"])
        yield from _scaled(f"{result}_sum", f"{result}_scale", result)

    def _shrink(self, weights: str, scales: str) -> None:
        """Bring *weights*, each column with one of *scales*, to at most `LARGEST_WEIGHT`."""
        values = numpy_helper.to_array(self._tensors[weights])
        largest = int(np.abs(values.astype(np.int16)).max())
        if largest <= LARGEST_WEIGHT:
            return
        ratio = np.float32(largest / LARGEST_WEIGHT)
        self._replace(weights, np.rint(values / ratio).astype(np.int8))
        self._replace(scales, numpy_helper.to_array(self._tensors[scales]) * ratio)

    def _replace(self, name: str, values: np.ndarray) -> None:
        self._tensors[name].CopyFrom(numpy_helper.from_array(values, name))


def _rows(node: NodeProto, table: str, scales: str) -> Iterator[NodeProto]:
    """Read rows of *table*, each with one of *scales*."""
    (_, rows), (result,) = node.input, node.output
    yield helper.make_node("Gather", [table, rows], [f"{result}_rows"])
    yield helper.make_node("Gather", [scales, rows], [f"{result}_scales"])
    yield from _scaled(f"{result}_rows", f"{result}_scales", result)


def _scaled(integers: str, scale: str, result: str) -> Iterator[NodeProto]:
    yield helper.make_node("Cast", [integers], [f"{result}_floats"], to=TensorProto.FLOAT)
    yield helper.make_node("Mul", [f"{result}_floats", scale], [result])
