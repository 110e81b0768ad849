// The bench's main program: steps one or two Verilated models in one simulation that cocotb drives through VPI.
//
// The order of evaluation and callbacks is that of cocotb's own main program for Verilator (share/lib/verilator).

#include "runtime.h"

#include "verilated_vpi.h"

static uint64_t now = 0;

double sc_time_stamp() { return static_cast<double>(now); }

extern "C" void vlog_startup_routines_bootstrap(void);

std::vector<MakeSide>& sides() {
    static std::vector<MakeSide> all;
    return all;
}

// Value change callbacks may change values in turn.
static void settleCallbacks() {
    while (VerilatedVpi::callValueCbs()) {}
}

static void evaluate(std::vector<std::unique_ptr<Side>>& models) {
    do {
        do {
            for (auto& model : models) model->evalStep();
            VerilatedVpi::clearEvalNeeded();
            VerilatedVpi::doInertialPuts();
            settleCallbacks();
        } while (VerilatedVpi::evalNeeded());
        VerilatedVpi::callCbs(cbReadWriteSynch);
        VerilatedVpi::doInertialPuts();
        settleCallbacks();
    } while (VerilatedVpi::evalNeeded());
    for (auto& model : models) model->evalEndStep();
    VerilatedVpi::callCbs(cbReadOnlySynch);
}

static void end() { VerilatedVpi::callCbs(cbEndOfSimulation); }

int main(int argc, char** argv) {
    Verilated::commandArgs(argc, argv);
    Verilated::fatalOnVpiError(false);
    std::vector<std::unique_ptr<Side>> models;
    for (const auto& make : sides()) models.push_back(make());

    vlog_startup_routines_bootstrap();
    Verilated::addExitCb([](void*) { end(); }, nullptr);
    VerilatedVpi::callCbs(cbStartOfSimulation);
    settleCallbacks();

    while (!Verilated::gotFinish()) {
        evaluate(models);
        const uint64_t next = VerilatedVpi::cbNextDeadline();
        if (next == ~0ULL) break;
        now = next;
        VerilatedVpi::callCbs(cbNextSimTime);
        settleCallbacks();
        VerilatedVpi::callTimedCbs();
        settleCallbacks();
    }

    for (auto& model : models) model->final();
    end();
    return Verilated::threadContextp()->errorCount() > 0 ? 1 : 0;
}
