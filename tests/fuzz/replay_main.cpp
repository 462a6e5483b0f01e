// The main of a fuzz target in a normal build: replays the corpus, then deterministic mutations of it, for at
// most two seconds. The real search is done with libFuzzer (preset fuzz).

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace {

constexpr auto replayBudget = std::chrono::seconds(2);
constexpr int mutationCount = 4000;
std::string currentInput;

/// Keeps what crashed: the file becomes part of the corpus once the bug is fixed.
void keepCrash(int number)
{
    if (FILE *file = std::fopen("crash-input", "wb")) {
        std::fwrite(currentInput.data(), 1, currentInput.size(), file);
        std::fclose(file);
        std::fputs("the failing input was written to ./crash-input\n", stderr);
    }
    std::signal(number, SIG_DFL);
    std::raise(number);
}

void runInput(std::string input)
{
    // An exact copy on the heap, so that a sanitizer sees one byte read too many.
    currentInput = std::move(input);
    const std::vector<uint8_t> bytes(currentInput.begin(), currentInput.end());
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

class Mutator
{
public:
    std::string mutate(std::string input, const std::string &other)
    {
        for (uint64_t rounds = 1 + next() % 4; rounds > 0; --rounds)
            mutateOnce(input, other);
        return input;
    }
    uint64_t next()
    {
        m_state ^= m_state << 13;
        m_state ^= m_state >> 7;
        m_state ^= m_state << 17;
        return m_state;
    }

private:
    void mutateOnce(std::string &input, const std::string &other)
    {
        const size_t at = input.empty() ? 0 : next() % input.size();
        const size_t length = input.empty() ? 0 : next() % std::min<size_t>(input.size() - at, 64);
        switch (next() % 7) {
        case 0:
            if (!input.empty())
                input[at] = static_cast<char>(input[at] ^ (1 << (next() % 8)));
            break;
        case 1:
            if (!input.empty())
                input[at] = static_cast<char>(next());
            break;
        case 2:
            input.insert(at, 1, static_cast<char>(next()));
            break;
        case 3:
            input.erase(at, length);
            break;
        case 4:
            input.insert(at, input.substr(at, length));
            break;
        case 5:
            input.resize(at);
            break;
        case 6:
            if (!other.empty())
                input.insert(at, other.substr(next() % other.size(), 64));
            break;
        }
    }
    uint64_t m_state = 0x9E3779B97F4A7C15ull;
};

} // namespace

int main(int argc, char **argv)
{
    for (const int number : {SIGABRT, SIGSEGV, SIGFPE, SIGILL, SIGBUS})
        std::signal(number, keepCrash);
    std::vector<std::string> inputs{std::string()};
    for (int i = 1; i < argc; ++i) {
        std::vector<std::filesystem::path> files;
        if (std::filesystem::is_directory(argv[i]))
            std::copy(std::filesystem::directory_iterator(argv[i]), {}, std::back_inserter(files));
        else if (std::filesystem::is_regular_file(argv[i]))
            files.emplace_back(argv[i]);
        std::sort(files.begin(), files.end());
        for (const auto &path : files) {
            std::ifstream file(path, std::ios::binary);
            inputs.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
        }
    }
    if (inputs.size() == 1)
        std::fprintf(stderr, "no corpus given: only mutations of nothing are tried\n");
    for (const std::string &input : inputs)
        runInput(input);

    Mutator mutator;
    const auto end = std::chrono::steady_clock::now() + replayBudget;
    int mutations = 0;
    for (; mutations < mutationCount && std::chrono::steady_clock::now() < end; ++mutations) {
        const std::string &base = inputs[mutator.next() % inputs.size()];
        runInput(mutator.mutate(base, inputs[mutator.next() % inputs.size()]));
    }
    std::printf("%zu inputs and %d mutations replayed\n", inputs.size() - 1, mutations);
    return 0;
}
