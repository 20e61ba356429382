"""Makes the ONNX graph of multilingual-e5-small: BERT with products of integers. Pure.

Each product of a layer with its weights is computed as in `integer_arithmetic`: what the layer is
given is quantized by its own range, and the weights, of 4 bits in the file, are brought to 7 bits
with a scale for each column. The table of words keeps its 4 bits.

Of what the last product of a layer is given, a few numbers are many times as large as the others,
which would be rounded away beside them. So each is divided by the root of the size that is to be
expected of it, and the weights that it meets are multiplied by the same (the idea of Xiao et al.,
SmoothQuant, 2023).
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import GraphProto, ModelProto, TensorProto, helper, numpy_helper

from memoryapp.providers.builtin_model.e5_file import BLOCK, E5File
from memoryapp.providers.builtin_model.integer_arithmetic import LARGEST_WEIGHT, serialised

Floats = NDArray[np.float32]

#: The names of what the graph is given, the ids of a text's pieces, and of its result.
INPUT, OUTPUT = "input_ids", "last_hidden_state"
#: Operators that ONNX does not have, by ONNX Runtime.
_MICROSOFT = "com.microsoft"
_OPSET, _MICROSOFT_OPSET, _IR_VERSION = 21, 1, 10
_WORDS = "embeddings.words"
#: The size of the lowest value of GELU.
_LEAST_OF_GELU = 0.17


def graph(file: E5File) -> Iterator[bytes]:
    """Yield the model in *file*, serialised in pieces: a graph from ids, shape (texts, pieces), to
    the last hidden state, shape (texts, pieces, 384).
    """
    made = _Graph(file)
    yield made.model().SerializeToString(deterministic=True)
    yield from made.tensors()


class _Graph:
    """A graph that grows: each method adds nodes, and returns the name of their result."""

    def __init__(self, file: E5File) -> None:
        self._file = file
        self._graph = GraphProto(name="multilingual-e5-small")
        self._tensors: list[TensorProto] = []

    def model(self) -> ModelProto:
        """Return the graph without its tensors."""
        self._constants()
        state = self._embeddings()
        for layer in range(self._file.layers):
            state = self._layer(f"l{layer}", state)
        self._graph.node[-1].output[0] = OUTPUT
        ids = helper.make_tensor_value_info(INPUT, TensorProto.INT64, ["texts", "pieces"])
        shape = ["texts", "pieces", self._file.hidden]
        result = helper.make_tensor_value_info(OUTPUT, TensorProto.FLOAT, shape)
        self._graph.input.append(ids)
        self._graph.output.append(result)
        opsets = [
            helper.make_opsetid("", _OPSET),
            helper.make_opsetid(_MICROSOFT, _MICROSOFT_OPSET),
        ]
        return helper.make_model(self._graph, opset_imports=opsets, ir_version=_IR_VERSION)

    def tensors(self) -> Iterator[bytes]:
        """Yield each tensor as a model that has nothing else: such messages in a row are merged."""
        self._tensors.reverse()
        while self._tensors:
            yield serialised(self._tensors.pop())

    # Parts.

    def _constants(self) -> None:
        heads, hidden = self._file.heads, self._file.hidden
        for name, numbers in {
            "first": [0],
            "thirds": [hidden] * 3,
            "by head": [0, 0, heads, hidden // heads],
            "joined": [0, 0, hidden],
        }.items():
            self._tensor(name, np.array(numbers, np.int64))
        self._tensor("attention scale", np.array((hidden // heads) ** -0.5, np.float32))

    def _embeddings(self) -> str:
        file = self._file
        packed, scales = file.packed("emb.word", file.rows, file.hidden)
        shape = (file.rows, file.hidden)
        table = helper.make_tensor(_WORDS, TensorProto.INT4, shape, packed, raw=True)
        self._tensors.append(table)
        self._tensor(f"{_WORDS}.scales", scales)
        self._node(
            "GatherBlockQuantized",
            [_WORDS, INPUT, f"{_WORDS}.scales"],
            "words half",
            domain=_MICROSOFT,
            gather_axis=0,
            quantize_axis=1,
            block_size=BLOCK,
        )
        self._node("Cast", ["words half"], "words", to=TensorProto.FLOAT)
        # There is one type of text, so its vector is added to those of the positions.
        kind = file.floats("emb.type").reshape(-1, file.hidden)[0]
        positions = file.floats("emb.pos").reshape(-1, file.hidden) + kind
        self._tensor("positions", positions)
        self._node("Shape", [INPUT], "length", start=1, end=2)
        self._node("Slice", ["positions", "first", "length", "first"], "places")
        self._node("Add", ["words", "places"], "embedded")
        return self._normalised("emb.ln", "embedded")

    def _layer(self, name: str, state: str) -> str:
        hidden, inner = self._file.hidden, self._file.inner
        context = self._attention(name, state)
        attended = self._product(f"{name}.ao", context, [f"{name}.ao"], hidden, hidden)
        self._node("Add", [attended, state], f"{name}.attended")
        state = self._normalised(f"{name}.aln", f"{name}.attended")
        wide = self._product(f"{name}.fi", state, [f"{name}.fi"], inner, hidden)
        self._node("Gelu", [wide], f"{name}.gelu", domain=_MICROSOFT)
        roots = np.sqrt(self._expected_sizes(name))
        self._tensor(f"{name}.roots", roots)
        self._node("Div", [f"{name}.gelu", f"{name}.roots"], f"{name}.even")
        narrow = self._product(f"{name}.fo", f"{name}.even", [f"{name}.fo"], hidden, inner, roots)
        self._node("Add", [narrow, state], f"{name}.fed")
        return self._normalised(f"{name}.oln", f"{name}.fed")

    def _attention(self, name: str, state: str) -> str:
        hidden = self._file.hidden
        three = [f"{name}.{part}" for part in "qkv"]
        joined = self._product(f"{name}.qkv", state, three, hidden, hidden)
        self._graph.node.append(helper.make_node("Split", [joined, "thirds"], three, axis=-1))
        # Keys are turned on their side, so that they can be multiplied.
        for part, order in zip(three, [(0, 2, 1, 3), (0, 2, 3, 1), (0, 2, 1, 3)], strict=True):
            self._node("Reshape", [part, "by head"], f"{part}.heads")
            self._node("Transpose", [f"{part}.heads"], f"{part}.turned", perm=order)
        query, key, value = (f"{part}.turned" for part in three)
        self._node("MatMul", [query, key], f"{name}.likeness")
        self._node("Mul", [f"{name}.likeness", "attention scale"], f"{name}.scaled")
        self._node("Softmax", [f"{name}.scaled"], f"{name}.shares", axis=-1)
        self._node("MatMul", [f"{name}.shares", value], f"{name}.mixed")
        self._node("Transpose", [f"{name}.mixed"], f"{name}.back", perm=(0, 2, 1, 3))
        return self._node("Reshape", [f"{name}.back", "joined"], f"{name}.context")

    def _expected_sizes(self, name: str) -> Floats:
        """How large each number after the wide product of a layer gets: its mean and three of its
        standard deviations, for what a normalisation has made.
        """
        file = self._file
        weights = file.matrix(f"{name}.fi.w", file.inner, file.hidden)
        mean = weights @ file.floats(f"{name}.aln.b") + file.floats(f"{name}.fi.b")
        deviation = np.linalg.norm(weights * file.floats(f"{name}.aln.w"), axis=1)
        sizes: Floats = np.maximum(mean + 3 * deviation, _LEAST_OF_GELU)
        return sizes

    def _product(
        self,
        name: str,
        given: str,
        weights: Sequence[str],
        rows: int,
        columns: int,
        factors: Floats | float = 1.0,
    ) -> str:
        """Multiply what is *given* with the matrices called *weights*, each of their columns times
        one of *factors*, and add their biases.
        """
        matrices = [self._file.matrix(f"{each}.w", rows, columns) for each in weights]
        integers, scales = _seven_bits((np.concatenate(matrices) * factors).T)
        self._tensor(f"{name}.w", integers)
        self._tensor(f"{name}.scales", scales)
        biases = [self._file.floats(f"{each}.b") for each in weights]
        self._tensor(f"{name}.b", np.concatenate(biases))
        quantized = [f"{name}.{part}" for part in ("given", "scale", "zero")]
        self._graph.node.append(helper.make_node("DynamicQuantizeLinear", [given], quantized))
        integer, scale, zero = quantized
        self._node("MatMulInteger", [integer, f"{name}.w", zero], f"{name}.sum")
        self._node("Mul", [scale, f"{name}.scales"], f"{name}.unit")
        self._node("Cast", [f"{name}.sum"], f"{name}.floats", to=TensorProto.FLOAT)
        self._node("Mul", [f"{name}.floats", f"{name}.unit"], f"{name}.product")
        return self._node("Add", [f"{name}.product", f"{name}.b"], f"{name}.result")

    def _normalised(self, name: str, given: str) -> str:
        factors = [
            self._tensor(f"{name}.{part}", self._file.floats(f"{name}.{part}")) for part in "wb"
        ]
        return self._node(
            "LayerNormalization",
            [given, *factors],
            f"{name}.result",
            axis=-1,
            epsilon=self._file.epsilon,
        )

    # Protocol Buffers.

    def _tensor(self, name: str, values: NDArray[np.generic]) -> str:
        self._tensors.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def _node(self, operator: str, given: Sequence[str], result: str, **attributes: Any) -> str:
        self._graph.node.append(helper.make_node(operator, given, [result], **attributes))
        return result


def _seven_bits(matrix: Floats) -> tuple[NDArray[np.int8], Floats]:
    """Return *matrix* as integers, and the scale of each column."""
    scales = np.abs(matrix).max(axis=0) / LARGEST_WEIGHT
    return np.rint(matrix / scales).astype(np.int8), scales.astype(np.float32)
