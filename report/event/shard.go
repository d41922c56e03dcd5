package event

import (
	"fmt"
	"strings"
)

// Shard is one part of a comparison that is divided between jobs.
type Shard struct{ Index, Count int } // 1 ≤ Index ≤ Count

// ParseShard reads "i/n".
func ParseShard(s string) (Shard, error) {
	i, n, ok := strings.Cut(s, "/")
	shard := Shard{number(i), number(n)}
	if !ok || shard.Index < 1 || shard.Index > shard.Count {
		return Shard{}, fmt.Errorf("shard %s: wanted i/n with 1 ≤ i ≤ n, such as 2/4", quote(s))
	}
	return shard, nil
}

func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Count) }
