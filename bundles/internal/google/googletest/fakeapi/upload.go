package fakeapi

import (
	"bytes"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strconv"
	"strings"
)

// An upload is a resumable upload under way.
type upload struct {
	method   *Method
	metadata []byte
	data     []byte
}

// A content is what a request carries: JSON, and media beside it.
type content struct {
	json, media []byte
	session     *reply // what a step of a resumable upload answers before its end
}

// readUpload splits a request into its JSON and its media
// (developers.google.com/workspace/gmail/api/guides/uploads).
func (s *Server) readUpload(found route, r *http.Request, body []byte) (content, error) {
	if !found.upload {
		if len(body) > 0 && !isJSON(r.Header.Get("Content-Type")) {
			return content{}, fmt.Errorf("the body is %q, not application/json", r.Header.Get("Content-Type"))
		}
		return content{json: body}, nil
	}
	c, err := s.readMedia(found.method, r, body)
	if err != nil {
		return content{}, err
	}
	if int64(len(c.media)) > found.method.Upload.MaxSize {
		return content{}, &Problem{Status: http.StatusRequestEntityTooLarge, Reason: "uploadTooLarge",
			Message: fmt.Sprintf("Upload too large. The limit is %d bytes.", found.method.Upload.MaxSize)}
	}
	return c, nil
}

func (s *Server) readMedia(m *Method, r *http.Request, body []byte) (content, error) {
	kind := r.Header.Get("Content-Type")
	switch r.URL.Query().Get("uploadType") {
	case "media":
		if !acceptable(m, kind) {
			return content{}, fmt.Errorf("media of type %q is not accepted", kind)
		}
		return content{media: body}, nil
	case "multipart":
		return readMultipart(m, kind, body)
	case "resumable":
		return s.readResumable(m, r, body)
	}
	return content{}, fmt.Errorf("uploadType is %q, not media, multipart or resumable", r.URL.Query().Get("uploadType"))
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
		return content{}, fmt.Errorf("a multipart upload is multipart/related, not %q", kind)
	}
	reader := multipart.NewReader(bytes.NewReader(body), params["boundary"])
	first, err := reader.NextRawPart()
	if err != nil {
		return content{}, fmt.Errorf("multipart upload: %w", err)
	}
	if !isJSON(first.Header.Get("Content-Type")) {
		return content{}, fmt.Errorf("the first part is %q, not application/json", first.Header.Get("Content-Type"))
	}
	metadata, err := io.ReadAll(first)
	if err != nil {
		return content{}, fmt.Errorf("multipart upload: %w", err)
	}
	second, err := reader.NextRawPart()
	if err != nil {
		return content{}, fmt.Errorf("multipart upload: %w", err)
	}
	if !acceptable(m, second.Header.Get("Content-Type")) {
		return content{}, fmt.Errorf("media of type %q is not accepted", second.Header.Get("Content-Type"))
	}
	media, err := io.ReadAll(second)
	if err != nil {
		return content{}, fmt.Errorf("multipart upload: %w", err)
	}
	return content{json: metadata, media: media}, nil
}

// readResumable takes one step of a resumable upload: the opening POST, a
// chunk, or the last chunk, at which the content is whole.
func (s *Server) readResumable(m *Method, r *http.Request, body []byte) (content, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	id := r.URL.Query().Get("upload_id")
	if id == "" {
		id = NewSecret("")
		s.uploads[id] = &upload{method: m, metadata: body}
		query := r.URL.Query()
		query.Set("upload_id", id)
		return content{session: &reply{status: http.StatusOK, header: http.Header{
			"Location":              {s.URL() + r.URL.Path + "?" + query.Encode()},
			"X-Guploader-Uploadid":  {id},
			"X-Goog-Upload-Control": {"resumable"},
		}}}, nil
	}
	up := s.uploads[id]
	if up == nil || up.method != m {
		return content{}, NotFound()
	}
	total, err := up.take(r.Header.Get("Content-Range"), body)
	if err != nil {
		return content{}, err
	}
	if total < 0 || len(up.data) < total {
		return content{session: up.incomplete(r)}, nil
	}
	delete(s.uploads, id)
	return content{json: up.metadata, media: up.data}, nil
}

// take appends a chunk, and returns the total size, -1 while it is unknown.
func (u *upload) take(contentRange string, body []byte) (int, error) {
	if contentRange == "" {
		u.data = append(u.data, body...)
		return len(u.data), nil
	}
	span, size, ok := strings.Cut(strings.TrimPrefix(contentRange, "bytes "), "/")
	if !ok {
		return 0, fmt.Errorf("Content-Range %q is not understood", contentRange)
	}
	if first, _, isSpan := strings.Cut(span, "-"); isSpan {
		if start, err := strconv.Atoi(first); err != nil || start != len(u.data) {
			return 0, fmt.Errorf("Content-Range %q does not go on at byte %d", contentRange, len(u.data))
		}
		u.data = append(u.data, body...)
	}
	if size == "*" {
		return -1, nil
	}
	total, err := strconv.Atoi(size)
	if err != nil {
		return 0, fmt.Errorf("Content-Range %q is not understood", contentRange)
	}
	return total, nil
}

// incomplete is 308, which Go's client wants to see as a 200 with a header.
func (u *upload) incomplete(r *http.Request) *reply {
	status, header := http.StatusPermanentRedirect, http.Header{}
	if r.Header.Get("X-GUploader-No-308") == "yes" {
		status = http.StatusOK
		header.Set("X-Http-Status-Code-Override", "308")
	}
	if len(u.data) > 0 {
		header.Set("Range", fmt.Sprintf("bytes=0-%d", len(u.data)-1))
	}
	return &reply{status: status, header: header}
}
