package event

import "fmt"

// Counter counts the events of a stream, which are bounded: each
// costs a renderer far more than its bytes. The zero value is ready.
type Counter struct{ of map[string]int }

// maxEvents of a type in one stream, several times what large repositories give.
func maxEvents(name string) int {
	switch name {
	case "versions", "match":
		return 200 // modules: findings are looked for in each
	case "graph":
		return 200 * MaxGraphs
	case "relation":
		return 10_000
	case "finding", "limit", "baseline", "phase":
		return 20_000
	case "target", "adequacy":
		return 100_000
	}
	return 0 // no limit
}

// Add counts an event; its error says that there are too many.
func (c *Counter) Add(e Event) error {
	if c.of == nil {
		c.of = map[string]int{}
	}
	name := e.EventType()
	c.of[name]++
	if most := maxEvents(name); most > 0 && c.of[name] > most {
		return fmt.Errorf("more than %d events of type %q", most, name)
	}
	return nil
}
