package outcome

// Branch is a condition and what it evaluates to, by number: 2*i for condition i
// false, 2*i+1 for true.
type Branch int

// Of is the branch of condition i that is taken if it evaluates to the given
// value.
func Of(i int, value bool) Branch {
	if value {
		return Branch(2*i + 1)
	}
	return Branch(2 * i)
}

// Arm is the branch of arm j in a program of so many conditions.
func Arm(conditions, j int) Branch { return Branch(2*conditions + j) }

// Condition is the number of the branch's condition, or of its pair where pairs
// are numbered.
func (b Branch) Condition() int { return int(b) >> 1 }

// Value reports whether the condition is true on this branch.
func (b Branch) Value() bool { return b&1 == 1 }

// Sibling is the other branch of the same condition.
func (b Branch) Sibling() Branch { return b ^ 1 }
