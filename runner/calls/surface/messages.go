package surface

import "go/types"

// tellsMessage reports whether a function is the method String of a message of protocol buffers. They draw the blanks in
// it from the hash of the program's file, and base and head are two programs.
func tellsMessage(f *types.Func) bool {
	recv := f.Signature().Recv()
	if recv == nil || f.Name() != "String" {
		return false
	}
	message, _, _ := types.LookupFieldOrMethod(recv.Type(), true, f.Pkg(), "ProtoMessage")
	_, ok := message.(*types.Func)
	return ok
}
