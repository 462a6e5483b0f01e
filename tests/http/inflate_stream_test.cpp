#include "platform/http/inflate_stream.h"

#include <gtest/gtest.h>
#include <random>
#include <string>
#include <zlib.h>

namespace tongchi {
namespace {

/// As zlib writes it, with a name and a comment in a gzip header.
std::string deflated(const std::string &text, int windowBits)
{
    z_stream stream{};
    deflateInit2(&stream, 6, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY);
    gz_header header{};
    Bytef name[] = "list.json", comment[] = "of nodes";
    header.name = name;
    header.comment = comment;
    header.hcrc = 1;
    if (windowBits > 15)
        deflateSetHeader(&stream, &header);
    std::string out(deflateBound(&stream, text.size()) + 64, '\0');
    stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(text.data()));
    stream.avail_in = uInt(text.size());
    stream.next_out = reinterpret_cast<Bytef *>(out.data());
    stream.avail_out = uInt(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

TEST(InflateStream, ReadsABodyWhereverItIsCut)
{
    std::string text;
    for (int i = 0; i < 2000; ++i)
        text += "node-" + std::to_string(i * 7919 % 2000) + ' ';
    std::mt19937 random(3);
    for (const auto &[coding, windowBits] :
         {std::pair(InflateStream::Coding::Gzip, 31), std::pair(InflateStream::Coding::Deflate, 15),
          std::pair(InflateStream::Coding::Deflate, -15)}) {
        std::string body = deflated(text, windowBits);
        std::string expected = text;
        if (coding == InflateStream::Coding::Gzip) { // members may follow one another
            body += body;
            expected += text;
        }
        for (int round = 0; round < 40; ++round) {
            // What was on the stack before must not matter: the flags of a header that ends in another piece.
            volatile char garbage[4096];
            for (volatile char &c : garbage)
                c = char(random());
            InflateStream stream(coding);
            std::string got;
            for (std::size_t at = 0; at < body.size();) {
                const std::size_t size =
                    round == 0 ? 1 : std::min<std::size_t>(1 + random() % 15, body.size() - at);
                std::string_view piece(body.data() + at, size);
                at += size;
                InflateStream::Event event{};
                while ((event = stream.next(piece)) == InflateStream::Event::Data)
                    got += stream.data();
                ASSERT_NE(event, InflateStream::Event::Failed) << windowBits << " at " << at;
            }
            ASSERT_TRUE(stream.complete());
            ASSERT_EQ(got, expected);
        }
    }
}

} // namespace
} // namespace tongchi
