// Package subjects holds five functions as businesses have them: a phone bill,
// baggage fees, the reimbursement of travel expenses, a parking charge, and the
// meals that a caterer loads for a flight. They were written for the evaluation
// of k-MR coverage, after the short descriptions that papers on metamorphic
// testing give of such programs; the rules and rates are our own.
//
// Amounts are whole cents, so that outputs compare exactly. All inputs are
// valid: what a business refuses is an output. The functions hold no state.
package subjects
