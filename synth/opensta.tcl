# Figures of one mapped netlist by OpenSTA, with the activity that the caller puts into activity.tcl.
foreach file [glob cells*.lib] { read_liberty $file }
read_verilog netlist.v
link_design dut
source clock.tcl
set_input_delay 0 -clock clk [all_inputs -no_clocks]
set_output_delay 0 -clock clk [all_outputs]
source activity.tcl
report_worst_slack -max -digits 6
report_power -digits 9
exit
