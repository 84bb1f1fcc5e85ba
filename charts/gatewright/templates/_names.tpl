{{- define "gatewright.name" -}}
{{- if contains "gatewright" .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-gatewright" .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "gatewright.selector" -}}
app.kubernetes.io/name: gatewright
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: controller
{{- end -}}

{{/* managed-by is Helm: what the controller makes itself says gatewright there. */}}
{{- define "gatewright.labels" -}}
{{ include "gatewright.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "gatewright.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{/* Names that go with no namespace: two releases of one name in two namespaces are two. */}}
{{- define "gatewright.clusterName" -}}
{{ include "gatewright.name" . }}-{{ .Release.Namespace }}
{{- end -}}

{{/* The permissions file's rules, without their reasons. */}}
{{- define "gatewright.rules" -}}
{{- range . }}
- apiGroups: {{ .apiGroups | toJson }}
  resources: {{ .resources | toJson }}
  {{- with .resourceNames }}
  resourceNames: {{ . | toJson }}
  {{- end }}
  verbs: {{ .verbs | toJson }}
{{- end }}
{{- end -}}
