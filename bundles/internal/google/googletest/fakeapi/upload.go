package fakeapi

import (
	"bytes"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
)

// content is the content of a request: JSON, and optional media.
type content struct {
	json, media []byte
}

// readUpload returns the content of a request. On an upload path the body must
// be a multipart upload, with the JSON and the media as its two parts
// (developers.google.com/workspace/gmail/api/guides/uploads#multipart). On any
// other path the whole body is JSON.
func readUpload(found route, r *http.Request, body []byte) (content, error) {
	kind := r.Header.Get("Content-Type")
	if !found.upload {
		if len(body) > 0 && !isJSON(kind) {
			return content{}, fmt.Errorf("the body is %q, not application/json", kind)
		}
		return content{json: body}, nil
	}
	if how := r.URL.Query().Get("uploadType"); how != "multipart" {
		return content{}, fmt.Errorf("uploadType is %q, not multipart", how)
	}
	c, err := readMultipart(found.method, kind, body)
	if err != nil {
		return content{}, fmt.Errorf("multipart upload: %w", err)
	}
	if int64(len(c.media)) > found.method.Upload.MaxSize {
		return content{}, &Problem{Status: http.StatusRequestEntityTooLarge, Reason: "uploadTooLarge",
			Message: fmt.Sprintf("Upload too large. The limit is %d bytes.", found.method.Upload.MaxSize)}
	}
	return c, nil
}

func isJSON(kind string) bool {
	parsed, _, err := mime.ParseMediaType(kind)
	return err == nil && parsed == "application/json"
}

func acceptable(m *Method, kind string) bool {
	parsed, _, _ := mime.ParseMediaType(kind)
	for _, accepted := range m.Upload.Accept {
		prefix, open := strings.CutSuffix(accepted, "*")
		if parsed == accepted || open && strings.HasPrefix(parsed, prefix) {
			return true
		}
	}
	return false
}

func readMultipart(m *Method, kind string, body []byte) (content, error) {
	parsed, params, err := mime.ParseMediaType(kind)
	if err != nil || parsed != "multipart/related" {
		return content{}, fmt.Errorf("the body is %q, not multipart/related", kind)
	}
	reader := multipart.NewReader(bytes.NewReader(body), params["boundary"])
	first, err := reader.NextRawPart()
	if err != nil {
		return content{}, err
	}
	if !isJSON(first.Header.Get("Content-Type")) {
		return content{}, fmt.Errorf("the first part is %q, not application/json", first.Header.Get("Content-Type"))
	}
	metadata, err := io.ReadAll(first)
	if err != nil {
		return content{}, err
	}
	second, err := reader.NextRawPart()
	if err != nil {
		return content{}, err
	}
	if !acceptable(m, second.Header.Get("Content-Type")) {
		return content{}, fmt.Errorf("media of type %q is not accepted", second.Header.Get("Content-Type"))
	}
	media, err := io.ReadAll(second)
	if err != nil {
		return content{}, err
	}
	return content{json: metadata, media: media}, nil
}
