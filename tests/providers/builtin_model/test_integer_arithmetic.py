import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from memoryapp.providers.builtin_model.integer_arithmetic import LARGEST_WEIGHT, multiply_integers

Floats = NDArray[np.float32]

ROWS, WIDTH, HIDDEN = 50, 64, 32
DICE = np.random.default_rng(7)


def small_model() -> tuple[bytes, Floats, list[Floats]]:
    """Rows of a table times three matrices, of which two are given the same, and the matrices.

    All are stored as int8 with scales: of the table by row, of the matrices by column.
    """
    table, first, second = (
        DICE.integers(-127, 128, size=size).astype(np.int8)
        for size in ((ROWS, WIDTH), (WIDTH, HIDDEN), (WIDTH, HIDDEN))
    )
    floats = DICE.normal(size=(HIDDEN, 4)).astype(np.float32)
    scales = {
        "table": DICE.uniform(0.5, 2, size=(ROWS, 1)).astype(np.float32) / 127,
        "first": DICE.uniform(0.5, 2, size=(1, HIDDEN)).astype(np.float32) / 127,
        "second": DICE.uniform(0.5, 2, size=(1, HIDDEN)).astype(np.float32) / 127,
    }
    stored = {"table": table, "first": first, "second": second}
    tensors = [numpy_helper.from_array(floats, "third_float")]
    nodes = []
    for name, values in stored.items():
        tensors += [
            numpy_helper.from_array(values, name),
            numpy_helper.from_array(scales[name], f"{name}_scales"),
        ]
        nodes += [
            helper.make_node("Cast", [name], [f"{name}_cast"], to=TensorProto.FLOAT),
            helper.make_node("Mul", [f"{name}_cast", f"{name}_scales"], [f"{name}_float"]),
        ]
    nodes += [
        helper.make_node("Gather", ["table_float", "ids"], ["rows"]),
        helper.make_node("MatMul", ["rows", "first_float"], ["a"]),
        helper.make_node("MatMul", ["rows", "second_float"], ["b"]),
        helper.make_node("Add", ["a", "b"], ["sum"]),
        helper.make_node("MatMul", ["sum", "third_float"], ["result"]),
    ]
    graph = helper.make_graph(
        nodes,
        "small",
        [helper.make_tensor_value_info("ids", TensorProto.INT64, ["length"])],
        [helper.make_tensor_value_info("result", TensorProto.FLOAT, ["length", 4])],
        tensors,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    real: dict[str, Floats] = {
        name: (values * scales[name]).astype(np.float32) for name, values in stored.items()
    }
    weights = (real["first"] + real["second"]).astype(np.float32)
    return bytes(model.SerializeToString()), real["table"], [weights, floats]


def rewritten(model: bytes) -> bytes:
    return b"".join(multiply_integers(model))


def run(model: bytes, ids: list[int]) -> Floats:
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    (result,) = session.run(["result"], {"ids": np.array(ids, dtype=np.int64)})
    found: Floats = result
    return found


def test_result_is_nearly_the_same() -> None:
    model, table, (weights, last) = small_model()
    ids = [3, 49, 0, 3]
    exact = table[ids] @ weights @ last
    assert np.allclose(run(model, ids), exact, rtol=1e-3, atol=1e-3)
    rounded = run(rewritten(model), ids)
    assert not np.array_equal(rounded, run(model, ids)), "nothing was rewritten"
    error = np.linalg.norm(rounded - exact) / np.linalg.norm(exact)
    assert error < 0.03


def test_graph_multiplies_integers_and_quantizes_once() -> None:
    model, *_ = small_model()
    graph = onnx.load_model_from_string(rewritten(model)).graph
    kinds = [node.op_type for node in graph.node]
    assert kinds.count("MatMulInteger") == 2
    assert kinds.count("DynamicQuantizeLinear") == 1, "both matrices are given the same"
    assert kinds.count("MatMul") == 1, "the third matrix is stored as floats"


def test_sum_of_two_products_fits_into_sixteen_bits() -> None:
    model, *_ = small_model()
    graph = onnx.load_model_from_string(rewritten(model)).graph
    tensors = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    for name in ("first", "second"):
        largest = int(np.abs(tensors[name].astype(int)).max())
        assert largest == LARGEST_WEIGHT
        assert 2 * 255 * largest < 2**15
    assert int(np.abs(tensors["table"].astype(int)).max()) == 127, "rows are not multiplied"


def test_model_without_int8_weights_is_left_alone() -> None:
    weights = DICE.normal(size=(WIDTH, HIDDEN)).astype(np.float32)
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["given", "weights"], ["result"])],
        "floats",
        [helper.make_tensor_value_info("given", TensorProto.FLOAT, [1, WIDTH])],
        [helper.make_tensor_value_info("result", TensorProto.FLOAT, [1, HIDDEN])],
        [numpy_helper.from_array(weights, "weights")],
    )
    model = helper.make_model(graph)
    left = onnx.load_model_from_string(rewritten(model.SerializeToString()))
    assert left == model
