"""SUM = A + B; an input that begins with 666 is refused by the model itself."""

import triton_python_backend_utils as backend


class TritonPythonModel:
    def execute(self, requests):
        return [self.answer(request) for request in requests]

    def answer(self, request):
        first, second = (backend.get_input_tensor_by_name(request, name).as_numpy() for name in ("A", "B"))
        if first.flat[0] == 666:
            return backend.InferenceResponse(error=backend.TritonError("model says no"))
        return backend.InferenceResponse([backend.Tensor("SUM", first + second)])
