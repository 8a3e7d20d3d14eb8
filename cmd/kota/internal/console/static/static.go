// Package static has the files of the console that are the same for everybody:
// the style sheet, the scripts and the icon.
package static

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync"
)

//go:embed style.css app.js icon.svg vendor/*.js
var files embed.FS

// A file is served under a name with the hash of its content, so browsers may keep it.
type file struct {
	name    string // "vendor/htmx.min.js"
	hash    string
	content []byte
	packed  []byte // by gzip
}

// byHash has the files by their hashes. A program that shows no console does not
// spend 6 ms of its start on them.
var byHash = sync.OnceValue(load)

// load reads and packs the files. They are part of the program, so an error cannot happen.
func load() map[string]file {
	all := map[string]file{}
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(content)
		f := file{name: name, hash: hex.EncodeToString(sum[:6]), content: content, packed: pack(content)}
		all[f.hash] = f
		return nil
	})
	if err != nil {
		panic(err)
	}
	return all
}

func pack(content []byte) []byte {
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		panic(err)
	}
	w.Write(content) // a Buffer accepts everything
	w.Close()
	return packed.Bytes()
}

// Path returns where a file is, below the path of all static files: "3f9a01c2b4d5/style.css".
// It panics for a file that does not exist.
func Path(name string) string {
	for _, f := range byHash() {
		if f.name == name {
			return f.hash + "/" + path.Base(name)
		}
	}
	panic("static: no file " + name)
}

// Serve answers a request for the file at a Path.
func Serve(w http.ResponseWriter, r *http.Request, at string) {
	hash, name, _ := strings.Cut(at, "/")
	f, ok := byHash()[hash]
	if !ok || path.Base(f.name) != name {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
	h.Set("Vary", "Accept-Encoding")
	content := f.content
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		content = f.packed
	}
	w.Write(content)
}
