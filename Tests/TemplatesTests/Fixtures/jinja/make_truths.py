#!/usr/bin/env python3
"""Makes truths.json: templates, variables and what Jinja2 renders, set up as transformers sets it.

    pip install jinja2==3.1.6 && python3 make_truths.py > truths.json

An expected failure is recorded as such, without its message, which is Jinja2's own.
"""
import datetime
import json

from jinja2 import nodes
from jinja2.ext import Extension, loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment

TIME = datetime.datetime(2026, 7, 4, 9, 5, 3)


class Generation(Extension):
    """The `generation` tag of transformers, which only marks a part of the output."""

    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        return nodes.CallBlock(self.call_method("render"), [], [], body).set_lineno(line)

    def render(self, caller):
        return caller()


class Raised(Exception):
    pass


def raise_exception(message):
    raise Raised(message)


def tojson(x, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(
        x, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


environment = ImmutableSandboxedEnvironment(
    trim_blocks=True, lstrip_blocks=True, extensions=[Generation, loopcontrols])
environment.filters["tojson"] = tojson
environment.globals["raise_exception"] = raise_exception
environment.globals["strftime_now"] = TIME.strftime


def truth(template, variables):
    try:
        return {"text": environment.from_string(template).render(**variables)}
    except Raised as error:
        return {"raised": str(error)}
    except Exception:
        return {"fails": True}


VARIABLES = {"x":5,"f":1.5,"s":"Hello World","l":[3,1,2],"d":{"b":1,"a":[1,"two",None,True,2.0],"items":"own","é":"ü"},"n":None,"t":True,"e":"","el":[],
 "ms":[{"role":"user","content":"a"},{"role":"assistant","content":"b","k":1},{"role":"user","content":"C"}],"uni":"naïve e\u0301 👩‍👩‍👧 ß ǆ İ","ws":" \t a\nb \u00a0\u2003","big":12345678901234567,"q":"it's \"q\" \\ \n\x07\u200b"}

EXPRESSIONS = r"""x|string ~ f|string ~ n ~ t
1.0 ~ 1e16 ~ 1e15 ~ 123456789.123 ~ 1e-5 ~ 0.0001 ~ 1e100 ~ 1.5e-7 ~ 100.0 ~ 12345678901234567.0
[1, 1.0, None, True, 'a', "it's", (1,), (), {}, {'a': 1, 2: 'b'}]
q ~ [q]
[uni, ws]
d
d['items']
d.get('zz') ~ d.get('zz', 3) ~ d.get('b')
d.keys()|list
d.values()|list
d.items()|list
d|items|list
d|dictsort
d|length ~ s|length ~ l|length ~ uni|length ~ zz|length
d.é ~ d['é']
l[0] ~ l[-1] ~ l[5] ~ l[-9]
l[::-1] ~ l[1:] ~ l[:-1] ~ l[::2] ~ l[5:1:-1] ~ l[-2:] ~ l[10:] ~ l[:100:50]
s[::-1] ~ s[1:4] ~ s[-3:] ~ uni[::-1] ~ uni[2:5]
s[0] ~ s[-1] ~ s[99]
s.upper() ~ s.lower() ~ s.title() ~ s.capitalize() ~ s.swapcase()
uni|upper ~ uni|lower ~ uni|title ~ uni|capitalize ~ uni.title()
s|upper ~ s|lower ~ s|title ~ s|capitalize
'foo-bar (baz) [qux] it\'s' | title
'foo-bar (baz) it\'s 3rd'.title()
ws.strip() ~ '|' ~ ws.lstrip() ~ '|' ~ ws.rstrip() ~ '|' ~ ws|trim
'xxabcxx'.strip('x') ~ 'abc'.lstrip('ba') ~ 'abc' | trim('c')
'a,b,,c'.split(',') ~ 'a,b,,c'.split(',', 1) ~ 'a,b,,c'.rsplit(',', 1) ~ ' a  b '.split() ~ ' a  b c '.split(None, 1) ~ ' a  b c '.rsplit(None, 1)
'aXbXc'.partition('X') ~ 'aXbXc'.rpartition('X') ~ 'abc'.partition('X') ~ 'abc'.rpartition('X')
'a\nb\r\nc\n'.splitlines() ~ '\n\n'.splitlines()
s.replace('l', 'L') ~ s.replace('l','L',1) ~ 'abc'.replace('', '-') ~ 'abc'|replace('b', 1) ~ s|replace('o','0',1)
s.startswith('He') ~ s.endswith('ld') ~ s.startswith(('x','H')) ~ s.startswith('')
s.find('o') ~ s.rfind('o') ~ s.find('zz') ~ s.count('l') ~ s.index('W') ~ uni.find('👩') ~ 'aaaa'.count('aa') ~ s.find('o', 5) ~ s.count('')
'abc'.isalpha() ~ 'a1'.isalnum() ~ '12'.isdigit() ~ ' '.isspace() ~ 'AB'.isupper() ~ 'ab'.islower() ~ ''.isalpha() ~ '½'.isnumeric() ~ '²'.isdigit() ~ 'Ab Cd'.istitle()
'-'.join(['a','b']) ~ ','.join('abc')
'abc'.removeprefix('a') ~ 'abc'.removesuffix('c') ~ 'abc'.removeprefix('x')
'7'.zfill(3) ~ '-7'.zfill(4) ~ 'a'.ljust(3) ~ '|' ~ 'a'.rjust(3) ~ 'a'.center(4) ~ '|' ~ 'ab'.center(5) ~ '|'
'{} and {}'.format('a', 2) ~ '{0}{1}{0}'.format('x','y') ~ '{a}'.format(a=1) ~ '{{}}'.format() ~ '{:.2f}'.format(3.14159) ~ '{:>5}'.format('a') ~ '{:5}|'.format('a') ~ '{:05d}'.format(42)
'%s-%d-%.2f-%r-%5s|%-5s|%05d%%' | format('a', 3, 2.5, 'q', 'x', 'y', 42)
'%s' % 'a' ~ '%s %s' % (1, 2)
1 + 2 * 3 - 4 / 2, 7 // 2, -7 // 2, 7 % 3, -7 % 3, 2 ** 10, 7.5 // 2, -7.5 % 2
2 ** -1 ~ 2 ** 0.5 is defined
1 + 1.5, True + 1, 10 / 4, 10 / 5
-x ~ +x ~ -f ~ - -x ~ -x|abs
'a' * 3, [1] * 2, 'a' + 'b', [1] + [2], (1,) + (2,)
1 < 2 < 3, 1 < 3 < 2, 1 == 1.0, 'a' < 'b', [1,2] < [1,3], True == 1, 'a' == 1, None == None
'a' in 'abc' ~ 1 in [1,2] ~ 'b' in d ~ 'z' not in d ~ 1.0 in [1] ~ '' in '' ~ 'x' in zz
not x, not not x, (not n), not x == 5
x and 'y' ~ n or 'z' ~ '' or 0 or [] ~ 1 and 2 and 3
'a' if x else 'b'
'a' if n
'a' if n else 'b' if n else 'c'
x is defined ~ zz is defined ~ zz is undefined ~ n is none ~ x is not none ~ d is mapping ~ s is string ~ l is iterable ~ l is sequence ~ d is sequence ~ s is sequence ~ x is number ~ t is number ~ t is boolean ~ x is integer ~ t is integer ~ f is float ~ zz is iterable ~ n is iterable
x is odd ~ x is even ~ x is divisibleby 5 ~ x is divisibleby(2) ~ t is true ~ t is false ~ n is false ~ x is eq 5 ~ x is ge(5) ~ x is in [5] ~ s is lower ~ 'abc' is lower ~ 'ABC' is upper ~ raise_exception is callable ~ x is sameas 5
l|sort ~ l|sort(reverse=true) ~ ['b','A','c']|sort ~ ['b','A','c']|sort(case_sensitive=true) ~ ms|sort(attribute='role')|map(attribute='content')|list
l|first ~ l|last ~ el|first ~ l|max ~ l|min ~ l|sum ~ el|max
l|join(', ') ~ ms|join('/', attribute='role') ~ l|join
l|reverse|list ~ s|reverse ~ l|list ~ s|list
ms|map(attribute='role')|list ~ ms|map(attribute='k', default='-')|list ~ ms|map('length')|list ~ ['a','b']|map('upper')|join ~ ['a b','c']|map('replace','a','z')|list
ms|selectattr('role','equalto','user')|list|length ~ ms|rejectattr('role','==','user')|list|length ~ ms|selectattr('k')|list|length ~ ms|selectattr('k','defined')|list|length ~ [0,1,2]|select|list ~ [0,1,2]|reject('odd')|list ~ [1,2,3]|select('gt',1)|list
ms|map(attribute='role')|unique|list ~ ['a','A','b']|unique|list ~ [1,1.0,True,2]|unique|list
d|tojson
d|tojson(indent=2)
d|tojson(indent=0) ~ d|tojson(ensure_ascii=true) ~ d|tojson(separators=(',',':')) ~ d|tojson(sort_keys=true) ~ []|tojson(indent=2) ~ {}|tojson(indent=2)
q|tojson ~ uni|tojson(ensure_ascii=true) ~ '\x7f<>&\'' | tojson ~ 1.0|tojson ~ 1e16|tojson ~ {1:2, None:3, True:4}|tojson ~ (1,2)|tojson
d|tojson(indent='--')
'a\nb\n\nc'|indent ~ '|' ~ 'a\nb'|indent(2, true) ~ 'a\n\nb'|indent(2, blank=true) ~ 'a\nb\n'|indent(1) ~ 'a\nb'|indent('>>', first=true)
'<a&"\'>'|e ~ '<'|escape ~ '<'|safe
zz|default('d') ~ n|default('d') ~ n|default('d', true) ~ ''|d('x', boolean=true) ~ zz|default ~ d.zz|default('q')
'42'|int ~ '42.7'|int ~ 'x'|int ~ 'x'|int(7) ~ '0x1f'|int(base=16) ~ 3.9|int ~ -3.9|int ~ n|int ~ ' 5 '|int ~ '1_0'|int ~ true|int
'1.5'|float ~ 'x'|float ~ 3|float ~ 'x'|float(2.5) ~ '1e3'|float
2.5|round ~ 3.5|round ~ 2.567|round(2) ~ 2.1|round(0,'ceil') ~ 2.9|round(method='floor') ~ 42|round ~ 42.55|round(1,'floor')
-5|abs ~ (-5)|abs ~ (-5.5)|abs
range(5)|list ~ range(1,4)|list ~ range(5,0,-2)|list ~ range(0)|list
dict(a=1, b=2) ~ dict({'a': 1}, b=3) ~ dict([('a', 1)])
strftime_now('%Y-%m-%d %H:%M:%S %b %B %a %A %j %y %e %-d %p %I %% %F %T')
zz ~ '|' ~ zz|upper ~ zz|string ~ zz|list
zz.foo
zz + 1
n.foo is defined ~ n.foo ~ x.foo ~ s.foo is defined
n['a'] is defined
l.foo is defined
s['x'] is defined
raise_exception('Bad \u00e9')
foo(1)
x()
s.nope()
n + 1
'a' + 1
l|length > 2 and s|length > 3
l[n]
l[1.0]
l['a']
{'a': {'b': [1, {'c': 2}]}}.a.b[1].c
(1, 2, 3)[1] ~ (1,2)[0:1]
"con" "cat" 'ed'
"\u00e9\x41\101\q" ~ 'a\
b'
1_000 ~ 0x1F ~ 0b101 ~ 0o17 ~ 1.5e3 ~ 1e3
true ~ True ~ none ~ None ~ false
[1,2,] ~ (1,) ~ {'a':1,}
l is sameas l
'a' ~ 1 + 2 ~ 'b'
1 ~ 2 * 3
2 * 'ab' ~ 3 * [0]
'%d' % 3.7
l.index(2) ~ l.count(1)
(x, f)
x, f
'a' < 1
d < d
el or 'x' if el else 'y'
ms[0].role ~ ms[-1]['content'] ~ ms[0]['zz'] ~ ms[1:]|length
ms|map(attribute='content')|map('lower')|list
ms|first ~ (ms|last).role
ms|selectattr('role', 'in', ['user'])|list|length
'a'|center(5) ~ '|' ~ 'ab'|center(5) ~ '|'
(ms|selectattr('zz')) is defined
'y' if ms|selectattr('zz') else 'n'
'y' if ms|selectattr('zz')|list else 'n'
big ~ big + 1 ~ big * 2.0
1 if true else 2 if false
not 'a' in 'b'
x not in [1] and not false
l|sort|first
-(l|first)
-2|abs ** 2
2 ** 3 ** 2
10 - 3 - 2, 100 / 10 / 2
'a' 'b' ~ 'c'|upper
d.a[1].upper() ~ d.a[-1]
"""

BLOCKS = r"""{% for i in l %}{{ i }}{% if not loop.last %},{% endif %}{% endfor %}
{% for i in l if i > 1 %}{{ loop.index }}/{{ loop.length }}:{{ i }} {% else %}none{% endfor %}
{% for i in el %}x{% else %}empty{% endfor %}
{% for k, v in d.items() %}{{ k }}={{ v }};{% endfor %}
{% for i in l %}{{ loop.index }}{{ loop.index0 }}{{ loop.revindex }}{{ loop.revindex0 }}{{ loop.first }}{{ loop.last }}{{ loop.previtem }}{{ loop.nextitem }}{{ loop.cycle('a','b') }}{{ loop.changed(i > 1) }}|{% endfor %}
{% for i in l %}{% for j in l %}{{ loop.index }}{% endfor %}{{ loop.index }}{% endfor %}
{% for i in l %}{% if i == 1 %}{% continue %}{% endif %}{{ i }}{% if i == 2 %}{% break %}{% endif %}{% endfor %}
{% set a = 1 %}{% for i in l %}{% set a = a + i %}{{ a }}{% endfor %}{{ a }}
{% set ns = namespace(c=0, x='q') %}{% for i in l %}{% set ns.c = ns.c + i %}{% endfor %}{{ ns.c }}{{ ns.x }}{{ ns.zz is defined }}
{% if false %}{% set z = 1 %}{% endif %}{{ z is defined }}{% if true %}{% set z = 2 %}{% endif %}{{ z }}
{% set a, b = 1, 2 %}{{ a }}{{ b }}{% set (c, e2) = [3, 4] %}{{ c }}{{ e2 }}
{% set a = 1, 2 %}{{ a }}
{% set body %}x {{ x }} {% set inner = 5 %}{% endset %}{{ body|upper }}{{ inner is defined }}
{% set body | upper | trim %}  abc  {% endset %}[{{ body }}]
{% macro m(a, b=2, c=a) %}{{ a }}-{{ b }}-{{ c }}{% endmacro %}{{ m(1) }} {{ m(1, c=5) }} {{ m(b=3, a=9) }} {{ m() }}
{% macro m(a) %}{{ varargs }}{{ kwargs }}{% endmacro %}{{ m(1, 2, 3, z=4) }}
{% macro m(a) %}{{ a }}{% endmacro %}{{ m(1, 2) }}
{% macro m(a) %}{{ a }}{% endmacro %}{{ m(z=2) }}
{% macro f(n) %}{% if n > 0 %}{{ n }}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(5) }}
{% macro w() %}[{{ caller() }}]{% endmacro %}{% call w() %}in {{ x }}{% endcall %}
{% macro w() %}[{{ caller(7) }}]{% endmacro %}{% call(v) w() %}in {{ v }}{% endcall %}
{% filter upper %}abc {{ s }}{% endfilter %}
{% with a = 1, b = 2 %}{{ a + b }}{% endwith %}{{ a is defined }}
{% generation %}abc{{ x }}{% endgeneration %}!
{% raw %}{{ x }} {% y %}{% endraw %}!
a {#- c -#} b {# d #}
e
{% if x %}
  yes
{% endif %}
tail
  {% if x %}  
  a
  {%- endif %}  b
{%- if x -%}   trimmed   {%- endif -%}   end
line
    {{ x }}
    {{- x }}
    {{ x -}}
    z
{%+ if x %} keep{% endif +%}
next
x{% if x %}
y{% endif %}
z

{{ x }}
{{ '{{' }} {{ "}}" }} {{ {'a': {'b': 1}}['a'] }}
{% for m in ms %}{{ m.role }}{% if m.k is defined %}{{ m.k }}{% endif %}{% endfor %}
{% for m in ms[::-1] %}{{ loop.index0 }}{{ m.content }}{% endfor %}
{% for c in s %}{{ c }}.{% endfor %}
{% for a in d %}{{ a }}{% endfor %}
{% for i in range(3) %}{{ i }}{% endfor %}
{% for x in n %}{% endfor %}
{% for x in 5 %}{% endfor %}
{% set loop = 3 %}{{ loop }}
{% unknown %}
{{ x
{% if x %}
{% endif %}
{{ x | nofilter }}
{% if false %}{{ x | nofilter }}{% endif %}ok
{{ x is notest }}
{{ 'abc }}
{# unclosed
{% for i in l %}{{ i }}{% endif %}
{% set x = %}
{{ }}
{{ x y }}
{{ (1, 2 }}
{{ 1 + }}
{% set j = joiner('; ') %}{% for i in l %}{{ j() }}{{ i }}{% endfor %}
{% set c = cycler('a', 'b') %}{{ c.next() }}{{ c.next() }}{{ c.next() }}
{% if x == 5 and (s is string) or false %}A{% elif x %}B{% else %}C{% endif %}
{% if not x %}A{% elif n is none %}B{% endif %}
{%- for m in ms %}
  {%- if m.role == 'user' %}
U: {{ m.content }}
  {%- else %}
A: {{ m.content }}
  {%- endif %}
{%- endfor %}
{% macro outer() %}{% macro inner() %}i{% endmacro %}{{ inner() }}{% endmacro %}{{ outer() }}
{% set v = 1 %}{% macro m() %}{{ v }}{% endmacro %}{% set v = 2 %}{{ m() }}
{% for i in [[1,2],[3,4]] %}{{ i[0] }}{% endfor %}{% for a, b in [[1,2],[3,4]] %}{{ a }}{{ b }}{% endfor %}
{% for a, b in [[1,2,3]] %}{% endfor %}
{% set d.x = 1 %}
{% set ns = namespace({'a': 1}, b=2) %}{{ ns.a }}{{ ns.b }}{{ ns['a'] }}
{% set l2 = l + [4] %}{{ l2 }}{{ l }}
{{ l.append(4) }}
{{ d.update({}) }}
{%if x%}tight{%endif%}
{% for i in l -%}
  {{ i }}
{%- endfor %}
{{ "a" -}}   
   b
{{ loop is defined }}
{{ caller is defined }}
{% set x %}{% endset %}[{{ x }}]
"""

WHITESPACE = """a {#- c -#} b {# d #}
e
---
{% if x %}
  yes
{% endif %}
tail
---
  {% if x %}  
  a
  {%- endif %}  b
---
{%- if x -%}   trimmed   {%- endif -%}   end
line
    {{ x }}
    {{- x }}
    {{ x -}}
    z
---
{%+ if x %} keep{% endif +%}
next
---
x{% if x %}
y{% endif %}
z

{{ x }}

---
{%- for m in ms %}
  {%- if m.role == 'user' %}
U: {{ m.content }}
  {%- else %}
A: {{ m.content }}
  {%- endif %}
{%- endfor %}
---
{% for i in l -%}
  {{ i }}
{%- endfor %}
---
  {% for i in l %}
    {{ i }}
	{# tab before #}
  {% endfor %}

end
---
a
  {%- raw %} {{ x }}
  {% endraw %}
b
---
{% raw -%}
  {{ x }}
{%- endraw -%}
  c
---
  {#+ keeps #}
x {#- strips -#}
   y
---
{% set t %}
  block
{% endset %}[{{ t }}]
{% macro m() -%}
  in
{%- endmacro %}
{{ m() }}{{ m() -}}
 z
"""

GEMMA = """{{ bos_token }}
{%- if messages[0]['role'] == 'system' -%}
    {%- if messages[0]['content'] is string -%}
        {%- set first_user_prefix = messages[0]['content'] + '\\n\\n' -%}
    {%- else -%}
        {%- set first_user_prefix = messages[0]['content'][0]['text'] + '\\n\\n' -%}
    {%- endif -%}
    {%- set loop_messages = messages[1:] -%}
{%- else -%}
    {%- set first_user_prefix = "" -%}
    {%- set loop_messages = messages -%}
{%- endif -%}
{%- for message in loop_messages -%}
    {%- if (message['role'] == 'user') != (loop.index0 % 2 == 0) -%}
        {{ raise_exception("roles must alternate user/assistant") }}
    {%- endif -%}
    {%- if (message['role'] == 'assistant') -%}
        {%- set role = "model" -%}
    {%- else -%}
        {%- set role = message['role'] -%}
    {%- endif -%}
    {{ '<start_of_turn>' + role + '\\n' + (first_user_prefix if loop.first else "") }}
    {%- if message['content'] is string -%}
        {{ message['content'] | trim }}
    {%- elif message['content'] is iterable -%}
        {%- for item in message['content'] -%}
            {%- if item['type'] == 'image' -%}
                {{ '<start_of_image>' }}
            {%- elif item['type'] == 'text' -%}
                {{ item['text'] | trim }}
            {%- endif -%}
        {%- endfor -%}
    {%- else -%}
        {{ raise_exception("content must be text or parts") }}
    {%- endif -%}
    {{ '<end_of_turn>\\n' }}
{%- endfor -%}
{%- if add_generation_prompt -%}
    {{'<start_of_turn>model\\n'}}
{%- endif -%}
"""

LLAMA = """{{- bos_token }}
{%- if custom_tools is defined %}
    {%- set tools = custom_tools %}
{%- endif %}
{%- if not date_string is defined %}
    {%- if strftime_now is defined %}
        {%- set date_string = strftime_now("%d %b %Y") %}
    {%- else %}
        {%- set date_string = "26 Jul 2024" %}
    {%- endif %}
{%- endif %}
{%- if not tools is defined %}
    {%- set tools = none %}
{%- endif %}
{%- if messages[0]['role'] == 'system' %}
    {%- set system_message = messages[0]['content']|trim %}
    {%- set messages = messages[1:] %}
{%- else %}
    {%- set system_message = "" %}
{%- endif %}
{{- "<|start_header_id|>system<|end_header_id|>\\n\\n" }}
{%- if tools is not none %}
    {{- "Environment: ipython\\n" }}
{%- endif %}
{{- "Today Date: " + date_string + "\\n\\n" }}
{%- if tools is not none %}
    {%- for t in tools %}
        {{- t | tojson(indent=4) }}
        {{- "\\n\\n" }}
    {%- endfor %}
{%- endif %}
{{- system_message }}
{{- "<|eot_id|>" }}
{%- for message in messages %}
    {%- if not (message.role == 'ipython' or message.role == 'tool' or 'tool_calls' in message) %}
        {{- '<|start_header_id|>' + message['role'] + '<|end_header_id|>\\n\\n'+ message['content'] | trim + '<|eot_id|>' }}
    {%- elif 'tool_calls' in message %}
        {%- if not message.tool_calls|length == 1 %}
            {{- raise_exception("one tool call at once") }}
        {%- endif %}
        {%- set tool_call = message.tool_calls[0].function %}
        {{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' -}}
        {{- '{"name": "' + tool_call.name + '", ' }}
        {{- '"parameters": ' }}
        {{- tool_call.arguments | tojson }}
        {{- "}" }}
        {{- "<|eot_id|>" }}
    {%- elif message.role == "tool" or message.role == "ipython" %}
        {{- "<|start_header_id|>ipython<|end_header_id|>\\n\\n" }}
        {%- if message.content is mapping or message.content is iterable %}
            {{- message.content | tojson }}
        {%- else %}
            {{- message.content }}
        {%- endif %}
        {{- "<|eot_id|>" }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}
{%- endif %}
"""

TOOL = {"type": "function", "function": {"name": "weather", "description": "Wetter \"jetzt\" é", "parameters": {
    "type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}}}
CALL = {"type": "function", "function": {"name": "weather", "arguments": {"city": "Köln", "days": 2, "f": 1.0}}}
CONVERSATIONS = [
    [{"role": "user", "content": " Hi \n"}],
    [{"role": "system", "content": "Be brief. "}, {"role": "user", "content": "2+2?"}],
    [{"role": "system", "content": [{"type": "text", "text": "Sys"}]},
     {"role": "user", "content": [{"type": "image"}, {"type": "text", "text": " see "}]}],
    [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b\n"}, {"role": "user", "content": "c"}],
    [{"role": "user", "content": "a"}, {"role": "user", "content": "b"}],
    [{"role": "user", "content": "W?"}, {"role": "assistant", "content": None, "tool_calls": [CALL]},
     {"role": "tool", "content": {"t": 3}}, {"role": "tool", "content": "text"}],
    [{"role": "user", "content": "W?"}, {"role": "assistant", "content": "", "tool_calls": [CALL, CALL]}],
    [{"role": "user", "content": 5}],
    [],
]


def cases():
    for expression in EXPRESSIONS.strip("\n").replace("\\\n", "\0").split("\n"):
        yield "{{ " + expression.replace("\0", "\\\n") + " }}", VARIABLES
    lines = BLOCKS.rstrip("\n").split("\n")
    for line in lines:
        yield line, VARIABLES
    for start in range(0, len(lines) - 3, 2):
        yield "\n".join(lines[start:start + 4]), VARIABLES
    for start in range(0, len(lines) - 2, 3):
        yield "\r\n".join(lines[start:start + 3]) + "\n", VARIABLES
    for block in WHITESPACE.split("---\n"):
        yield block, VARIABLES
        yield "  " + block.replace("\n", "\r\n"), VARIABLES
    for template in (GEMMA, LLAMA):
        for messages in CONVERSATIONS:
            for more in ({}, {"tools": [TOOL], "date_string": "1 May 2026"}):
                yield template, {"messages": messages, "add_generation_prompt": True, "bos_token": "<bos>", **more}


truths = []
for template, variables in cases():
    entry = {"template": template}
    if variables is not VARIABLES:
        entry["variables"] = variables
    truths.append({**entry, **truth(template, variables)})
print('{"variables":' + json.dumps(VARIABLES, ensure_ascii=False) + ',"cases":[')
print(",\n".join(json.dumps(t, ensure_ascii=False) for t in truths))
print("]}")
