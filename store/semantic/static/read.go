package static

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Limits of files. The largest known models of this kind have 512 MB and a tokenizer.json of
// 30 MB.
const (
	maxFile      = 1 << 30
	maxHeader    = 8 << 20
	maxTokenizer = 64 << 20
	maxTokens    = 4_000_000
)

// version is part of the hash in the name of every model. Change it if the same files give
// other vectors than before.
const version = "1"

// read loads the model in path. Its error is an *Error.
func read(path string) (*embeddings, error) {
	file, tokens, err := locate(path)
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	sum.Write([]byte(version))
	tokenizer, err := readTokenizer(tokens, sum)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, unreadable(inFolder(file), err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, unreadable(inFolder(file), err)
	}
	e, err := readEmbeddings(source{f, filepath.Base(file), info.Size(), sum}, tokenizer.size)
	if err != nil {
		return nil, err
	}
	e.tokenizer, e.fileBytes = tokenizer, info.Size()
	e.name = "static-" + hex.EncodeToString(sum.Sum(nil)[:16])
	return e, nil
}

// locate returns the two files of a model, which are regular files of permitted size.
func locate(path string) (model, tokenizer string, err error) {
	model = path
	info, err := os.Stat(path)
	shown := filepath.Base(path)
	switch {
	case err == nil && info.IsDir():
		model = filepath.Join(path, "model.safetensors")
		shown = inFolder(model)
	case shown == "tokenizer.json":
		return "", "", problem(nameFolder, "search.model names tokenizer.json")
	}
	if err := checkFile(model, shown, maxFile); err != nil {
		return "", "", err
	}
	tokenizer = filepath.Join(filepath.Dir(model), "tokenizer.json")
	return model, tokenizer, checkFile(tokenizer, inFolder(tokenizer), maxTokenizer)
}

// inFolder returns the name of the file with that of its folder, without the folders above.
func inFolder(file string) string {
	return filepath.Join(filepath.Base(filepath.Dir(file)), filepath.Base(file))
}

// checkFile checks the size and kind of a file. The parameter shown names it in errors.
func checkFile(path, shown string, limit int64) error {
	info, err := os.Stat(path) // before opening, because opening a pipe waits
	switch {
	case err != nil:
		return unreadable(shown, err)
	case !info.Mode().IsRegular():
		return problem(correctPath, "%s is not a file", shown)
	case info.Size() > limit:
		return problem(chooseSmaller, "%s has more than %d MB, the limit of KOTA", filepath.Base(path), limit>>20)
	}
	return nil
}

// unreadable returns the message of the operating system with the name shown instead of the path.
func unreadable(shown string, err error) *Error {
	if errors.Is(err, fs.ErrNotExist) {
		return problem(correctPath, "%s does not exist", shown)
	}
	if inner := (*fs.PathError)(nil); errors.As(err, &inner) {
		err = inner.Err
	}
	return problem(correctPath, "%s cannot be read: %v", shown, err)
}

// notTheFile returns an error if the start is that of a pointer of Git LFS or of a web page. Both
// are often downloaded instead of the file.
func notTheFile(name string, start []byte) error {
	text := strings.ToLower(string(bytes.TrimLeft(start, " \t\r\n")))
	switch {
	case strings.HasPrefix(text, "version "):
		return problem(pullLFS, "%s is a pointer of Git LFS, not the file itself", name)
	case strings.HasPrefix(text, "<!doctyp"), strings.HasPrefix(text, "<html"), strings.HasPrefix(text, "<?xml"):
		return problem(downloadFile, "%s is a web page, not the file itself", name)
	}
	return nil
}

func readTokenizer(path string, sum hash.Hash) (*tokenizer, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, unreadable(inFolder(path), err)
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, maxTokenizer+1))
	if err != nil {
		return nil, unreadable(inFolder(path), err)
	}
	if len(raw) > maxTokenizer {
		return nil, problem(chooseSmaller, "%s has more than %d MB", filepath.Base(path), maxTokenizer>>20)
	}
	if err := notTheFile(filepath.Base(path), raw[:min(len(raw), 100)]); err != nil {
		return nil, err
	}
	fmt.Fprintf(sum, " %d ", len(raw))
	sum.Write(raw)
	return parseTokenizer(raw)
}
