package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

const scaleAudience = "https://kota.example.com/mcp"

// person is somebody with an account at the issuer and a session at each replica.
type person struct {
	token    string
	number   int64 // of the tenant in the database
	sessions []*session
}

// issuer is an OAuth issuer on this machine.
type issuer struct {
	url    string
	key    *ecdsa.PrivateKey
	signer jose.Signer
}

// startIssuer starts an issuer that ends with ctx.
func startIssuer(ctx context.Context) (*issuer, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	options := (&jose.SignerOptions{}).WithType("JWT").WithHeader("kid", "1")
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: key}, options)
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	i := &issuer{"http://" + l.Addr().String(), key, signer}
	server := &http.Server{Handler: i}
	go server.Serve(l)
	context.AfterFunc(ctx, func() { server.Close() })
	return i, nil
}

// ServeHTTP answers the metadata and the keys of the issuer.
func (i *issuer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	answer := any(object{"issuer": i.url, "jwks_uri": i.url + "/keys"})
	if r.URL.Path == "/keys" {
		answer = jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: i.key.Public(), KeyID: "1", Use: "sig"}}}
	}
	json.NewEncoder(w).Encode(answer)
}

func (i *issuer) token(subject string) (string, error) {
	return jwt.Signed(i.signer).Claims(object{
		"iss": i.url, "aud": scaleAudience, "sub": subject, "iat": time.Now().Unix(), "exp": time.Now().Add(4 * time.Hour).Unix(),
	}).Serialize()
}

// startReplica starts another replica with a home of its own and returns its URL.
func (s *scale) startReplica(ctx context.Context) (url string, err error) {
	return s.startReplicaOn(ctx, s.url)
}

func (s *scale) startReplicaOn(ctx context.Context, database string) (url string, err error) {
	home := filepath.Join(s.bench.scratch, fmt.Sprintf("replica-%d", len(s.replicas)))
	if err := os.MkdirAll(home, 0o700); err != nil {
		return "", err
	}
	settings := fmt.Sprintf("bundles:\n  memory: {enabled: true}\nhttp:\n  oauth: {issuer: %q, audience: %q}\n", s.issuer.url, scaleAudience)
	if err := os.WriteFile(filepath.Join(home, "bundles.yaml"), []byte(settings), 0o600); err != nil {
		return "", err
	}
	command, address, err := s.bench.listen(func(address string) *exec.Cmd {
		command := s.bench.kotaCommand(ctx, home, "serve", "--http", address)
		command.Env = append(command.Env, "KOTA_DATABASE_URL="+database, "KOTA_SECRETS_KEY="+s.secretsKey)
		return command
	})
	if err != nil {
		return "", fmt.Errorf("start a replica: %w", err)
	}
	s.replicas = append(s.replicas, command)
	return "http://" + address + "/mcp", nil
}

// connect begins a session of each person at the replica of the URL.
func (s *scale) connect(ctx context.Context, url string, people []*person) error {
	for _, p := range people {
		session, err := newSession(ctx, s.client, url, p.token)
		if err != nil {
			return err
		}
		p.sessions = append(p.sessions, session)
	}
	return nil
}

// newPeople returns n people without sessions.
func (s *scale) newPeople(prefix string, n int) ([]*person, error) {
	people := make([]*person, n)
	for i := range people {
		token, err := s.issuer.token(fmt.Sprintf("%s-%d", prefix, i))
		if err != nil {
			return nil, err
		}
		people[i] = &person{token: token}
	}
	return people, nil
}
