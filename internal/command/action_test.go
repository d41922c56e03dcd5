package command

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/isodelta/isodelta/runner"
)

// TestInfluential: the same options have the same text in every process, or the
// cache would never hold what is looked for; other options have another.
func TestInfluential(t *testing.T) {
	t.Parallel()
	options := func(edit func(*runner.Options)) string {
		o := runner.Defaults()
		o.Dir, o.Executable, o.FailOn, o.Tags = "/somewhere", "/bin/isodelta", []string{"forced"}, []string{"a"}
		o.SkipTests = regexp.MustCompile("TestSlow")
		edit(&o)
		return influential(o)
	}
	same := options(func(o *runner.Options) {
		o.Dir, o.FailOn, o.Objects = "/elsewhere", nil, []string{"/objects"}
		o.Temp, o.Withheld = "/temp", []string{"A"}
	})
	if got := options(func(*runner.Options) {}); got != same {
		t.Errorf("%s\n%s", got, same)
	}
	if strings.Contains(same, "0x") {
		t.Errorf("an address is in %s", same)
	}
	for name, edit := range map[string]func(*runner.Options){
		"budget": func(o *runner.Options) { o.Budget = time.Minute },
		"tags":   func(o *runner.Options) { o.Tags = []string{"b"} },
		"skip":   func(o *runner.Options) { o.SkipTests = regexp.MustCompile("TestOther") },
		"shard":  func(o *runner.Options) { o.Shard, o.Shards = 1, 2 },
		"seed":   func(o *runner.Options) { o.Seed++ },
	} {
		if options(edit) == same {
			t.Errorf("%s makes no difference", name)
		}
	}
}
