// A division by zero is x: its result becomes the elaborated value, xored with free bits where the divisor is zero.
// The inner cells keep this map from applying to its own result; division_unwrap.v turns them back.
(* techmap_celltype = "$div $mod $divfloor $modfloor" *)
module rtl_evolve_division (A, B, Y);
  parameter A_SIGNED = 0;
  parameter B_SIGNED = 0;
  parameter A_WIDTH = 1;
  parameter B_WIDTH = 1;
  parameter Y_WIDTH = 1;
  parameter _TECHMAP_CELLTYPE_ = "";
  input [A_WIDTH-1:0] A;
  input [B_WIDTH-1:0] B;
  output [Y_WIDTH-1:0] Y;
  wire [Y_WIDTH-1:0] core;
  wire [Y_WIDTH-1:0] by_zero;
  generate
    if (_TECHMAP_CELLTYPE_ == "$div") begin : kind
      \$__core_div #(.A_SIGNED(A_SIGNED), .B_SIGNED(B_SIGNED), .A_WIDTH(A_WIDTH), .B_WIDTH(B_WIDTH), .Y_WIDTH(Y_WIDTH))
        u (.A(A), .B(B), .Y(core));
    end else if (_TECHMAP_CELLTYPE_ == "$mod") begin : kind
      \$__core_mod #(.A_SIGNED(A_SIGNED), .B_SIGNED(B_SIGNED), .A_WIDTH(A_WIDTH), .B_WIDTH(B_WIDTH), .Y_WIDTH(Y_WIDTH))
        u (.A(A), .B(B), .Y(core));
    end else if (_TECHMAP_CELLTYPE_ == "$divfloor") begin : kind
      \$__core_divfloor #(.A_SIGNED(A_SIGNED), .B_SIGNED(B_SIGNED), .A_WIDTH(A_WIDTH), .B_WIDTH(B_WIDTH), .Y_WIDTH(Y_WIDTH))
        u (.A(A), .B(B), .Y(core));
    end else begin : kind
      \$__core_modfloor #(.A_SIGNED(A_SIGNED), .B_SIGNED(B_SIGNED), .A_WIDTH(A_WIDTH), .B_WIDTH(B_WIDTH), .Y_WIDTH(Y_WIDTH))
        u (.A(A), .B(B), .Y(core));
    end
  endgenerate
  \$anyseq #(.WIDTH(Y_WIDTH)) free_division_by_zero (.Y(by_zero));
  assign Y = core ^ (by_zero & {Y_WIDTH{B == {B_WIDTH{1'b0}}}});
endmodule
