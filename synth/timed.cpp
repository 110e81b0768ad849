// Timed simulation of a mapped netlist, all cycles side by side: the same as _respond in glitch.py, at fifty times
// its speed. A net's waveform is a list of (tick, cycles in which it changes), the cycles as words of 64.
#include <algorithm>
#include <cstdint>
#include <vector>

namespace {

using Word = uint64_t;

struct Waveform {
    std::vector<int32_t> ticks;
    std::vector<Word> changes;  // `words` to a tick
};

struct Event {
    int32_t tick;
    int32_t place;  // which input
    const Word *changed;
};

enum Step : int32_t { AND = -1, OR = -2, XOR = -3, ONES = -4 };

class Simulation {
public:
    Simulation(int32_t words, const Word *ones) : words_(words), ones_(ones), stack_(16 * words) {}

    // Postfix over inputs (their places) and the steps above.
    void evaluate(const int32_t *steps, int32_t count, const std::vector<Word> &state, Word *result) {
        int32_t depth = 0;
        for (int32_t k = 0; k < count; ++k) {
            const int32_t step = steps[k];
            if (step >= 0 || step == ONES) {
                const Word *source = step >= 0 ? &state[size_t(step) * words_] : ones_;
                if (size_t(depth + 1) * words_ > stack_.size()) stack_.resize(2 * stack_.size());
                std::copy(source, source + words_, &stack_[size_t(depth++) * words_]);
                continue;
            }
            Word *right = &stack_[size_t(--depth) * words_];
            Word *left = &stack_[size_t(depth - 1) * words_];
            if (step == AND) for (int32_t w = 0; w < words_; ++w) left[w] &= right[w];
            if (step == OR) for (int32_t w = 0; w < words_; ++w) left[w] |= right[w];
            if (step == XOR) for (int32_t w = 0; w < words_; ++w) left[w] ^= right[w];
        }
        std::copy(&stack_[0], &stack_[0] + words_, result);
    }

    void respond(const int32_t *steps, int32_t count, std::vector<Word> &state, const std::vector<Event> &events,
                 int32_t delay, Waveform &out) {
        std::vector<Word> wanted(words_), now(words_), under_way(words_);
        size_t matured = 0;
        evaluate(steps, count, state, wanted.data());
        for (size_t e = 0; e < events.size(); ++e) {
            Word *input = &state[size_t(events[e].place) * words_];
            for (int32_t w = 0; w < words_; ++w) input[w] ^= events[e].changed[w];
            if (e + 1 < events.size() && events[e + 1].tick == events[e].tick) continue;
            evaluate(steps, count, state, now.data());
            Word any = 0;
            for (int32_t w = 0; w < words_; ++w) { now[w] ^= wanted[w]; wanted[w] ^= now[w]; any |= now[w]; }
            if (!any) continue;
            for (; matured < out.ticks.size() && out.ticks[matured] <= events[e].tick; ++matured)
                for (int32_t w = 0; w < words_; ++w) under_way[w] ^= out.changes[matured * words_ + w];
            // where the wish turns back before the output has followed, the change under way never happens
            Word cancelled = 0;
            for (int32_t w = 0; w < words_; ++w) cancelled |= under_way[w] & now[w];
            if (cancelled)
                for (size_t k = matured * words_; k < out.changes.size(); ++k)
                    out.changes[k] &= ~(under_way[k % words_] & now[k % words_]);
            any = 0;
            for (int32_t w = 0; w < words_; ++w) {
                const Word both = under_way[w] & now[w];
                now[w] ^= both;
                under_way[w] = (under_way[w] ^ both) | now[w];
                any |= now[w];
            }
            if (!any) continue;
            out.ticks.push_back(events[e].tick + delay);
            out.changes.insert(out.changes.end(), now.begin(), now.end());
        }
        drop_empty(out);
    }

private:
    void drop_empty(Waveform &out) const {
        size_t kept = 0;
        for (size_t k = 0; k < out.ticks.size(); ++k) {
            const Word *mine = &out.changes[k * words_];
            if (std::all_of(mine, mine + words_, [](Word w) { return w == 0; })) continue;
            std::copy(mine, mine + words_, &out.changes[kept * words_]);
            out.ticks[kept++] = out.ticks[k];
        }
        out.ticks.resize(kept);
        out.changes.resize(kept * words_);
    }

    int32_t words_;
    const Word *ones_;
    std::vector<Word> stack_;
};

}  // namespace

// `before` and `after` hold `words` words a net; net 1 is the constant true, so before[1] marks the cycles in use.
// Gate g drives net outputs[g] after delays[g] ticks, reads nets inputs[input_at[g]] to inputs[input_at[g + 1] - 1]
// by the steps from step_at[function[g]] to step_at[function[g] + 1] - 1. Gates come in topological order.
// `reads` is how often each net is read. The toggles of every net, over all cycles, are added to `toggles`.
extern "C" void timed_toggles(int32_t nets, int32_t words, const Word *before, const Word *after, int32_t sources,
                              const int32_t *source_net, const int32_t *source_tick, int32_t gates,
                              const int32_t *outputs, const int32_t *delays, const int32_t *function,
                              const int32_t *input_at, const int32_t *inputs, const int32_t *step_at,
                              const int32_t *steps, const int32_t *reads, int64_t *toggles) {
    std::vector<Waveform> waveforms(nets);
    std::vector<int32_t> waiting(reads, reads + nets);
    const auto count = [&](int32_t net) {
        for (Word word : waveforms[net].changes) toggles[net] += __builtin_popcountll(word);
        if (waiting[net] == 0) waveforms[net] = Waveform();
    };
    for (int32_t s = 0; s < sources; ++s) {
        const int32_t net = source_net[s];
        Waveform &waveform = waveforms[net];
        Word any = 0;
        for (int32_t w = 0; w < words; ++w) any |= before[size_t(net) * words + w] ^ after[size_t(net) * words + w];
        if (any) {
            waveform.ticks.push_back(source_tick[s]);
            for (int32_t w = 0; w < words; ++w)
                waveform.changes.push_back(before[size_t(net) * words + w] ^ after[size_t(net) * words + w]);
        }
        count(net);
    }
    Simulation simulation(words, before + words);
    std::vector<Event> events;
    std::vector<Word> state;
    for (int32_t g = 0; g < gates; ++g) {
        const int32_t begin = input_at[g], end = input_at[g + 1];
        events.clear();
        state.clear();
        for (int32_t k = begin; k < end; ++k) {
            const Word *value = before + size_t(inputs[k]) * words;
            state.insert(state.end(), value, value + words);
            const Waveform &source = waveforms[inputs[k]];
            for (size_t t = 0; t < source.ticks.size(); ++t)
                events.push_back({source.ticks[t], k - begin, &source.changes[t * words]});
        }
        std::stable_sort(events.begin(), events.end(), [](const Event &a, const Event &b) { return a.tick < b.tick; });
        const int32_t first = step_at[function[g]], past = step_at[function[g] + 1];
        simulation.respond(steps + first, past - first, state, events, delays[g], waveforms[outputs[g]]);
        for (int32_t k = begin; k < end; ++k)
            if (--waiting[inputs[k]] == 0) waveforms[inputs[k]] = Waveform();
        count(outputs[g]);
    }
}
