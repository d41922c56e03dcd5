package revision

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	format "github.com/go-git/go-git/v5/plumbing/format/config"
)

// configuration holds git's configuration files, the most general first.
type configuration struct {
	files []*format.Config
	local *format.Config // of the repository
}

// readConfiguration reads what git would: system, user, repository, and with
// the worktreeConfig extension the linked worktree's own file.
func readConfiguration(gitDir, commonDir string) (*configuration, error) {
	c := &configuration{}
	for _, path := range userConfigurations() {
		// A broken file of the user's is git's to complain about.
		if one, err := readConfigFile(path); err == nil {
			c.files = append(c.files, one)
		}
	}
	local := filepath.Join(commonDir, "config")
	one, err := readConfigFile(local)
	if err != nil && !os.IsNotExist(err) {
		return nil, fmt.Errorf("reading %s: %w", local, err)
	}
	c.local = one
	c.files = append(c.files, one)
	if c.local.Section("extensions").HasOption("worktreeConfig") {
		if one, err := readConfigFile(filepath.Join(gitDir, "config.worktree")); err == nil {
			c.files = append(c.files, one)
		}
	}
	return c, nil
}

func userConfigurations() []string {
	var paths []string
	if os.Getenv("GIT_CONFIG_NOSYSTEM") == "" {
		if system := os.Getenv("GIT_CONFIG_SYSTEM"); system != "" {
			paths = append(paths, system)
		} else {
			paths = append(paths, "/etc/gitconfig")
		}
	}
	if global, ok := os.LookupEnv("GIT_CONFIG_GLOBAL"); ok {
		return append(paths, global)
	}
	if dir := userConfigDir(); dir != "" {
		paths = append(paths, filepath.Join(dir, "git", "config"))
	}
	if home, err := os.UserHomeDir(); err == nil {
		paths = append(paths, filepath.Join(home, ".gitconfig"))
	}
	return paths
}

// userConfigDir is where git looks, which is not os.UserConfigDir everywhere.
func userConfigDir() string {
	if dir := os.Getenv("XDG_CONFIG_HOME"); dir != "" {
		return dir
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, ".config")
}

func readConfigFile(path string) (*format.Config, error) {
	c := format.New()
	f, err := os.Open(path)
	if err != nil {
		return c, err
	}
	defer f.Close()
	return c, format.NewDecoder(f).Decode(c)
}

// get returns the value of section.subsection.key, "" without one; the most
// specific file wins, and in it the last line.
func (c *configuration) get(section, subsection, key string) string {
	for _, one := range slices.Backward(c.files) {
		if !one.HasSection(section) {
			continue
		}
		s := one.Section(section)
		options := s.Options
		if subsection != "" {
			if !s.HasSubsection(subsection) {
				continue
			}
			options = s.Subsection(subsection).Options
		}
		if options.Has(key) {
			return options.Get(key)
		}
	}
	return ""
}

// isFalse reports whether a boolean is set, and set to false.
func (c *configuration) isFalse(section, key string) bool {
	switch strings.ToLower(c.get(section, "", key)) {
	case "false", "no", "off", "0":
		return true
	}
	return false
}

// isTrue reports whether a boolean is set, and set to true.
func (c *configuration) isTrue(section, key string) bool {
	switch strings.ToLower(c.get(section, "", key)) {
	case "true", "yes", "on", "1":
		return true
	}
	return false
}

// partialClone reports whether objects may be missing because a filter left them out.
func (c *configuration) partialClone() bool {
	if c.local.Section("extensions").HasOption("partialClone") {
		return true
	}
	for _, remote := range c.local.Section("remote").Subsections {
		if remote.Options.Get("promisor") == "true" {
			return true
		}
	}
	return false
}

// remotes lists the names of the remotes, sorted.
func (c *configuration) remotes() []string {
	var names []string
	for _, remote := range c.local.Section("remote").Subsections {
		names = append(names, remote.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// unsupported names the first feature of the repository that a reader must
// understand and that this one does not.
func (c *configuration) unsupported() string {
	switch version := c.local.Section("core").Option("repositoryformatversion"); version {
	case "", "0", "1":
	default:
		return "repository format version " + version
	}
	for _, option := range c.local.Section("extensions").Options {
		name, value := strings.ToLower(option.Key), strings.ToLower(option.Value)
		switch name {
		case "noop", "noop-v1", "partialclone", "preciousobjects", "worktreeconfig", "relativeworktrees":
			// They bind writers, or say where configuration is, or are met
			// when an object turns out to be missing.
		case "objectformat":
			if value != "sha1" {
				return "object names of the kind " + value
			}
		case "refstorage":
			if value != "files" {
				return "reference storage of the kind " + value
			}
		default:
			return "the extension " + option.Key
		}
	}
	return ""
}
