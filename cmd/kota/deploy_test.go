package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"

	"kota/cmd/kota/internal/app"
)

// deployFile returns the text of a file in the folder deploy.
func deployFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(moduleRoot, "deploy", filepath.FromSlash(path)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// container is what the compose file and the Deployment say about a container of KOTA.
type container struct {
	args  []string
	env   []string      // names
	grace time.Duration // until the platform kills it
}

type composeFile struct {
	Services map[string]struct {
		Image       string
		Command     []string
		Grace       string `yaml:"stop_grace_period"`
		Environment map[string]string
		ReadOnly    bool     `yaml:"read_only"`
		CapDrop     []string `yaml:"cap_drop"`
		SecurityOpt []string `yaml:"security_opt"`
		Networks    []string
	}
	Networks map[string]struct{ Internal bool }
}

func composeContainers(t *testing.T) map[string]container {
	t.Helper()
	var file composeFile
	if err := yaml.Unmarshal([]byte(deployFile(t, "compose/compose.yaml")), &file); err != nil {
		t.Fatal(err)
	}
	found := map[string]container{}
	for name, s := range file.Services {
		if s.Image != "kota" {
			continue
		}
		if !s.ReadOnly || !slices.Equal(s.CapDrop, []string{"ALL"}) || !slices.Contains(s.SecurityOpt, "no-new-privileges:true") {
			t.Errorf("%s can change its image or get rights: %+v", name, s)
		}
		grace, err := time.ParseDuration(s.Grace)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		c := container{args: s.Command, grace: grace}
		for variable := range s.Environment {
			c.env = append(c.env, variable)
		}
		found[name] = c
	}
	if len(found) != 2 || !slices.Equal(file.Services["postgres"].Networks, []string{"inside"}) || !file.Networks["inside"].Internal {
		t.Errorf("there are %d replicas; the database is in %v", len(found), file.Services["postgres"].Networks)
	}
	return found
}

type probe struct {
	HTTPGet struct {
		Path, Scheme string
		HTTPHeaders  []struct{ Name, Value string } `yaml:"httpHeaders"`
	} `yaml:"httpGet"`
}

// manifest is one document of the Kubernetes manifests.
type manifest struct {
	Kind       string
	Data       map[string]string
	StringData map[string]string `yaml:"stringData"`
	Spec       struct {
		MinAvailable int `yaml:"minAvailable"`
		Replicas     int
		Template     struct {
			Spec struct {
				Grace    int  `yaml:"terminationGracePeriodSeconds"`
				Token    bool `yaml:"automountServiceAccountToken"`
				Security struct {
					NonRoot bool `yaml:"runAsNonRoot"`
					User    int  `yaml:"runAsUser"`
				} `yaml:"securityContext"`
				Containers []struct {
					Args     []string
					Env      []struct{ Name, Value string }
					Live     probe `yaml:"livenessProbe"`
					Ready    probe `yaml:"readinessProbe"`
					Start    probe `yaml:"startupProbe"`
					Security struct {
						Escalation   bool                    `yaml:"allowPrivilegeEscalation"`
						ReadOnly     bool                    `yaml:"readOnlyRootFilesystem"`
						Capabilities struct{ Drop []string } `yaml:"capabilities"`
					} `yaml:"securityContext"`
				}
			}
		}
	}
}

func manifests(t *testing.T) map[string]manifest {
	t.Helper()
	found := map[string]manifest{}
	for documents := yaml.NewDecoder(strings.NewReader(deployFile(t, "kubernetes/kota.yaml"))); ; {
		var m manifest
		err := documents.Decode(&m)
		if errors.Is(err, io.EOF) {
			return found
		}
		if err != nil {
			t.Fatal(err)
		}
		found[m.Kind] = m
	}
}

func kubernetesContainer(t *testing.T) container {
	t.Helper()
	all := manifests(t)
	for _, kind := range []string{"Secret", "ConfigMap", "PersistentVolumeClaim", "Service", "PodDisruptionBudget", "Deployment"} {
		if all[kind].Kind == "" {
			t.Fatalf("there is no %s", kind)
		}
	}
	pod := all["Deployment"].Spec.Template.Spec
	kota := pod.Containers[0]
	if !pod.Security.NonRoot || pod.Security.User == 0 || pod.Token || kota.Security.Escalation || !kota.Security.ReadOnly || !slices.Equal(kota.Security.Capabilities.Drop, []string{"ALL"}) {
		t.Errorf("the pod can change its image or get rights: %+v", pod)
	}
	if budget := all["PodDisruptionBudget"].Spec.MinAvailable; budget < 1 || budget >= all["Deployment"].Spec.Replicas {
		t.Errorf("of %d replicas, %d must be available", all["Deployment"].Spec.Replicas, budget)
	}
	for path, p := range map[string]probe{"/healthz": kota.Live, "/readyz": kota.Ready} {
		if p.HTTPGet.Path != path || p.HTTPGet.Scheme != "HTTPS" || len(p.HTTPGet.HTTPHeaders) != 1 || p.HTTPGet.HTTPHeaders[0].Value != "kota" {
			t.Errorf("the probe of %s is %+v", path, p)
		}
	}
	if kota.Start.HTTPGet.Path != "/healthz" {
		t.Errorf("the startup probe is %+v", kota.Start)
	}
	c := container{args: kota.Args, grace: time.Duration(pod.Grace) * time.Second}
	for _, variable := range kota.Env {
		c.env = append(c.env, variable.Name)
	}
	for name, value := range all["Secret"].StringData {
		c.env = append(c.env, name)
		if len(value) >= 32 || strings.HasPrefix(value, "postgres") {
			t.Errorf("KOTA would start with the example of %s", name)
		}
	}
	return c
}

// The flags and variables that deploy names exist, and the platforms wait longer than KOTA drains.
func TestDeployedContainersMatchTheProgram(t *testing.T) {
	t.Parallel()
	containers := composeContainers(t)
	containers["kubernetes"] = kubernetesContainer(t)
	reference := readPage(t, "docs/reference/environment.md")
	for name, c := range containers {
		serve, args, err := newRoot(&app.App{}).Find(c.args)
		if err != nil || serve.Name() != "serve" {
			t.Fatalf("%s: %v is the command %v: %v", name, c.args, serve.Name(), err)
		}
		if err := serve.ParseFlags(args); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		drain, err := serve.Flags().GetDuration("drain")
		const afterDrain = 10 * time.Second // the last answers, and mail that is being sent
		if err != nil || drain < 75*time.Second || c.grace < drain+afterDrain {
			t.Errorf("%s drains for %v and is killed after %v", name, drain, c.grace)
		}
		for _, variable := range c.env {
			if strings.HasPrefix(variable, "KOTA_") && !strings.Contains(reference, "| `"+variable+"` |") {
				t.Errorf("%s: KOTA does not read %s", name, variable)
			}
		}
	}
}

// The program starts with the configuration of deploy, and both platforms have the same.
func TestDeployedConfigurationIsValid(t *testing.T) {
	t.Parallel()
	text := deployFile(t, "bundles.yaml")
	config := filepath.Join(t.TempDir(), "bundles.yaml")
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if output := runKota(t, t.TempDir(), nil, 0, "--config", config, "bundles"); !strings.Contains(output, "memory") {
		t.Errorf("it says %q", output)
	}
	var same, compose any
	if err := errors.Join(yaml.Unmarshal([]byte(manifests(t)["ConfigMap"].Data["bundles.yaml"]), &same), yaml.Unmarshal([]byte(text), &compose)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(compose, same); diff != "" {
		t.Errorf("the ConfigMap differs from deploy/bundles.yaml (-file +ConfigMap):\n%s", diff)
	}
}

// The image has no shell and does not run as root.
func TestImageIsMinimal(t *testing.T) {
	t.Parallel()
	_, last, found := strings.Cut(deployFile(t, "Dockerfile"), "\nFROM scratch\n")
	if !found || strings.Contains(last, "FROM ") || regexp.MustCompile(`(?m)^(RUN|SHELL|ADD|CMD)\b`).MatchString(last) {
		t.Errorf("the image is not from scratch, or needs a shell:\n%s", last)
	}
	for _, want := range []string{"USER 65534:65534", `ENTRYPOINT ["/kota"]`, "/etc/ssl/certs/ca-certificates.crt", "KOTA_HOME=/var/lib/kota"} {
		if !strings.Contains(last, want) {
			t.Errorf("the image lacks %q", want)
		}
	}
}

// HAProxy and Caddy accept their configurations, where they are installed.
func TestBalancersAcceptTheirConfiguration(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("openssl"); err != nil {
		t.Skip("not checked here: no openssl")
	}
	folder := t.TempDir()
	for _, file := range []string{"certificates.sh", "compose/secrets.sh", "compose/haproxy.cfg", "compose/Caddyfile"} {
		to := filepath.Join(folder, filepath.FromSlash(file))
		text := deployFile(t, file)
		for _, path := range []string{"/run/haproxy/", "/run/caddy/"} {
			text = strings.ReplaceAll(text, path, filepath.Join(folder, "compose", "private")+"/")
		}
		text = strings.NewReplacer("tls.pem", "public.pem", "kota-a:", "127.0.0.1:", "kota-b:", "127.0.0.1:").Replace(text)
		text = strings.Replace(text, "https://127.0.0.1:8321 https://127.0.0.1:8321", "https://127.0.0.1:8321 https://127.0.0.1:8322", 1)
		if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o700), os.WriteFile(to, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	run := func(name string, args ...string) {
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Env = append(os.Environ(), "HOME="+folder)
		if output, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, bytes.TrimSpace(output))
		}
	}
	run("sh", filepath.Join(folder, "compose", "secrets.sh"), "kota.example.com")
	run("sh", filepath.Join(folder, "compose", "secrets.sh"), "kota.example.com") // renews the certificate
	for name, args := range map[string][]string{
		"haproxy": {"-c", "-f", filepath.Join(folder, "compose", "haproxy.cfg")},
		"caddy":   {"validate", "--adapter", "caddyfile", "--config", filepath.Join(folder, "compose", "Caddyfile")},
	} {
		if _, err := exec.LookPath(name); err != nil {
			t.Logf("not checked here: no %s", name)
			continue
		}
		run(name, args...)
	}
}
