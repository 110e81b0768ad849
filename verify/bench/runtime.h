// What the bench's main program knows of a Verilated model; precompiled once, for every design.

#ifndef RTL_EVOLVE_BENCH_RUNTIME_H
#define RTL_EVOLVE_BENCH_RUNTIME_H

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "verilated.h"
#include "verilated_dpi.h"

// One Verilated model among those that are simulated together.
class Side {
public:
    virtual ~Side() = default;
    virtual void evalStep() = 0;
    virtual void evalEndStep() = 0;
    virtual void final() = 0;
};

using MakeSide = std::function<std::unique_ptr<Side>()>;

// The models linked into this program, in link order.
std::vector<MakeSide>& sides();

template <class Model>
class VerilatedSide final : public Side {
    // No name: the top's own name is then the root that cocotb finds.
    Model m_model{""};

public:
    void evalStep() override { m_model.eval_step(); }
    void evalEndStep() override { m_model.eval_end_step(); }
    void final() override { m_model.final(); }
};

// A static one in each model's translation unit adds it to `sides`.
template <class Model>
struct Registration {
    Registration() { sides().push_back([] { return std::make_unique<VerilatedSide<Model>>(); }); }
};

#endif
