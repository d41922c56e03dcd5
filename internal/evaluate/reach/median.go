package reach

import "slices"

// median is the lower one of an even number; 0 of none.
func median(list []int) int {
	if len(list) == 0 {
		return 0
	}
	list = slices.Sorted(slices.Values(list))
	return list[(len(list)-1)/2]
}
