package surface

import (
	"go/token"
	"go/types"
)

// readsCommandLine reports whether a function is the main function of a command, or what such a one calls to do it all:
// a function without parameters, named as package cobra's examples name it.
func readsCommandLine(f *types.Func) bool {
	sig := f.Signature()
	if sig.Recv() != nil || sig.Params().Len() > 0 || sig.TypeParams().Len() > 0 || sig.Results().Len() > 1 {
		return false
	}
	return f.Name() == "Execute" || f.Name() == "main" && isCommand(f.Pkg())
}

// command registers a function that reads the command line as one that takes its words.
func (w *writer) command(b, h *types.Func) {
	results := h.Signature().Results()
	if signature(b) != signature(h) {
		w.api.OneSided = append(w.api.OneSided, w.short(h))
		return
	}
	words := types.NewTuple(types.NewParam(token.NoPos, h.Pkg(), "args", types.NewSlice(types.Typ[types.String])))
	sig := types.NewSignatureType(nil, nil, nil, words, results, true)
	through := "isodeltaH.CommandLine"
	if results.Len() > 0 {
		through = "isodeltaH.CommandLineGiving"
	}
	w.op(b, h, sig, w.short(h), h.Name(), through+"("+w.qualify(h.Pkg())+h.Name()+")", false, true)
}
