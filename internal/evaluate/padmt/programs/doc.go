// Package programs holds six functions after the paragraphs that the paper on PaDMT (Sun, Liu,
// Fu, Liu, Liu, section 4.2) gives of its object programs: reading a number, charging for
// transfers of money, sales tax on a list of goods, and of a library of mathematics the
// greatest common divisor, an angle brought into one turn, and the distance of two points.
// The rules are our own where the paragraphs name none.
//
// Money is whole cents and angles are whole thousandths, so that outputs compare exactly. What
// cannot be worked out is an output. The functions hold no state: an account's goes in and
// comes out.
//
// They were written before anything was measured on them, and a test keeps their hash.
package programs
