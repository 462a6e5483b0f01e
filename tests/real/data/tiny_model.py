"""tiny_model.py FILE: a language model of random weights, half a megabyte, that llama.cpp loads and lets speak."""

import sys

import gguf
import numpy

WIDTH, HEADS, LAYERS, INNER, CONTEXT = 64, 4, 2, 128, 2048
CONTROL, UNKNOWN, BYTE, NORMAL = 3, 2, 6, 1  # token types of GGUF


def vocabulary():
    """(text, type) of each token: three special ones, every byte, some words and letters."""
    tokens = [(b"<unk>", UNKNOWN), (b"<s>", CONTROL), (b"</s>", CONTROL)]
    tokens += [(f"<0x{byte:02X}>".encode(), BYTE) for byte in range(256)]
    words = "a an and are as at be but by for from has he his in is it its of on that the they this to was were with you".split()
    tokens += [(f"\u2581{word}".encode(), NORMAL) for word in words]
    tokens += [(letter.encode(), NORMAL) for letter in "abcdefghijklmnopqrstuvwxyz\u2581"]
    return tokens


def write(path):
    tokens, chance = vocabulary(), numpy.random.default_rng(7)
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name("tiny-random")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_vocab_size(len(tokens))
    writer.add_file_type(0)
    writer.add_tokenizer_model("llama")
    writer.add_token_list([text for text, _ in tokens])
    writer.add_token_scores([-float(max(0, number - 259)) for number in range(len(tokens))])
    writer.add_token_types([kind for _, kind in tokens])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_add_bos_token(True)
    writer.add_chat_template("{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}assistant: ")

    def random(rows, columns, scale=0.08):
        return (chance.standard_normal((rows, columns)) * scale).astype(numpy.float32)

    ones = numpy.ones(WIDTH, numpy.float32)
    writer.add_tensor("token_embd.weight", random(len(tokens), WIDTH, 0.64))
    writer.add_tensor("output_norm.weight", ones)
    writer.add_tensor("output.weight", random(len(tokens), WIDTH))
    for layer in range(LAYERS):
        for part in ("attn_q", "attn_k", "attn_v", "attn_output"):
            writer.add_tensor(f"blk.{layer}.{part}.weight", random(WIDTH, WIDTH))
        for part in ("attn_norm", "ffn_norm"):
            writer.add_tensor(f"blk.{layer}.{part}.weight", ones)
        for part in ("ffn_gate", "ffn_up"):
            writer.add_tensor(f"blk.{layer}.{part}.weight", random(INNER, WIDTH))
        writer.add_tensor(f"blk.{layer}.ffn_down.weight", random(WIDTH, INNER))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    write(sys.argv[1])
