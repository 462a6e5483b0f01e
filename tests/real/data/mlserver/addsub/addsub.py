"""SUM = A + B."""

from mlserver import MLModel
from mlserver.codecs import NumpyCodec
from mlserver.types import InferenceResponse


class AddSub(MLModel):
    async def load(self):
        return True

    async def predict(self, payload):
        first, second = (NumpyCodec.decode_input(tensor) for tensor in payload.inputs)
        total = NumpyCodec.encode_output("SUM", first + second)
        return InferenceResponse(model_name=self.name, model_version=self.version, id=payload.id, outputs=[total])
