// Package detrand takes a number out of the program's own file, as a package of that name in protocol buffers does.
package detrand

import "os"

// Size is that of the program, 0 where the file is not known.
var Size = size()

func size() int64 {
	name, err := os.Executable()
	if err != nil {
		return 0
	}
	info, err := os.Stat(name)
	if err != nil {
		return 0
	}
	return info.Size()
}
