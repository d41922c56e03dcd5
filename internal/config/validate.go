package config

import "fmt"

// Validate checks settings that were made by hand, by the rules of the file.
// Load and Overrides have checked theirs.
func (c Config) Validate() error {
	scratch := Default()
	for _, k := range flagKeys() {
		values := k.get(c)
		if len(values) == 0 {
			continue
		}
		if err := k.put(&scratch, values); err != nil {
			return fmt.Errorf("setting %s: %w", k.name, err)
		}
	}
	return nil
}
