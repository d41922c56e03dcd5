//go:build go1.21

package wire

// Values that no literal can write down, by name. Arguments are Lits.
const (
	SpecialReader   = "reader"   // strings.NewReader(text)
	SpecialOneByte  = "onebyte"  // the same, a byte at a time
	SpecialShort    = "short"    // the same, half of what is asked for
	SpecialFailing  = "failing"  // the same, then an error
	SpecialDataEOF  = "dataeof"  // the same, with io.EOF beside the last bytes
	SpecialBuffer   = "buffer"   // *bytes.Buffer with the text
	SpecialFull     = "full"     // a writer that takes nothing: a nil *os.File
	SpecialLateFull = "latefull" // a writer that takes n bytes and then nothing: what buffers so many for it
	SpecialContext  = "context"  // context.Background()
	SpecialCanceled = "canceled" // a context that is over
	SpecialTimeout  = "timeout"  // a context that is over after n milliseconds
	SpecialError    = "error"    // errors.New(text)
	SpecialWrapped  = "wrapped"  // fmt.Errorf("failed: %w", the error written down)
	SpecialTime     = "time"     // time.Unix(n, 0).UTC(), or in the zone that harness.TimeZone says
	SpecialZone     = "zone"     // time.FixedZone("", n)
	SpecialFunc     = "func"     // a function that gives the results written down
	SpecialHashFunc = "hashfunc" // a function whose results depend on its arguments
	SpecialTelling  = "telling"  // the results written down, then a Ref to the list that calls are told in, and a name
	SpecialCalling  = "calling"  // a function that calls a method of what it is given: see harness.Call
	SpecialSetting  = "setting"  // a function that sets a field of what it is given: see harness.Setting
	SpecialBack     = "back"     // a function that calls, once, a method of what the sequence made: see harness.Back
	SpecialGiven    = "given"    // within what is called back: the parameter of the function, by its place, see harness.Given
	SpecialPanic    = "panic"    // a function that panics with the text
	SpecialNamed    = "named"    // the function that the text names: see harness.Named
	PanicText       = "boom"     // what generated ones panic with
	SpecialChan     = "chan"     // a closed channel with the elements in it
	SpecialLateChan = "latechan" // a channel with the elements in it that is closed after a while: see harness.ClosedAfter
	SpecialOpenChan = "openchan" // an open channel with room: see harness.ChannelRoom
	SpecialRequest  = "request"  // a *http.Request: see RequestMethod
	SpecialReply    = "reply"    // a *http.Response that the text says
	SpecialFiles    = "files"    // a file system in memory: when its files were changed, then names and contents by turns; see harness.FilesOf
	SpecialPath     = "path"     // the path of a file, or of the folder around: which one, then names and contents by turns; see harness.PathOf
	SpecialReplies  = "replies"  // a function that answers clients: a Ref to the list that what they send is told in, or Zero; then the answers
)

// Places of the texts of a SpecialRequest. Names and values of header fields follow by turns.
const (
	RequestMethod = iota
	RequestTarget
	RequestBody
	RequestHeader
)

// PlainerSpecial names a special value that is simpler than another and takes
// the same elements; "" without one.
func PlainerSpecial(name string) string {
	switch name {
	case SpecialOneByte, SpecialShort, SpecialFailing, SpecialDataEOF:
		return SpecialReader
	case SpecialLateFull:
		return SpecialFull
	case SpecialCanceled, SpecialTimeout:
		return SpecialContext
	case SpecialLateChan:
		return SpecialChan
	case SpecialHashFunc:
		return SpecialFunc
	}
	return ""
}
