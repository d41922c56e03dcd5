package scratch

import (
	"io/fs"
	"os"
)

// RemoveAll removes a directory that may hold read-only folders. It follows no
// link out of it, whatever changes there meanwhile.
func RemoveAll(dir string) {
	if os.RemoveAll(dir) == nil {
		return
	}
	os.Chmod(dir, 0o700)
	if root, err := os.OpenRoot(dir); err == nil {
		fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				root.Chmod(path, 0o700)
			}
			return nil
		})
		root.Close()
	}
	os.RemoveAll(dir)
}
