module top(input clk, rst, en, clear, input [7:0] a, b, output [19:0] y);
  reg [19:0] total;
  wire [15:0] r0 = a & {8{b[0]}}; wire [15:0] r1 = {a & {8{b[1]}},1'b0}; wire [15:0] r2={a & {8{b[2]}},2'b0}; wire [15:0] r3={a & {8{b[3]}},3'b0};
  wire [15:0] r4={a & {8{b[4]}},4'b0}; wire [15:0] r5={a & {8{b[5]}},5'b0}; wire [15:0] r6={a & {8{b[6]}},6'b0}; wire [15:0] r7={a & {8{b[7]}},7'b0};
  wire [19:0] base = total & {20{~clear}};
  wire [19:0] s = ((r0+r1)+(r2+r3))+((r4+r5)+(r6+r7)) + base;
  always @(posedge clk) if (rst) total <= 0; else if (en) total <= s;
  assign y = total;
endmodule
