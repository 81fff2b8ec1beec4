"""What a JSON value has against a schema: the keywords of JSON Schema 2020-12 that the schemas of this repository use,
and no others. Where the package jsonschema is installed it must be of the same opinion."""
import re

TYPES = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool}
SAYS_NOTHING = {"$schema", "title", "description", "$defs"}


def own_problems(value, schema, root, where):
    if "$ref" in schema:
        yield from own_problems(value, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root, where)
    for word, said in schema.items():
        if word in SAYS_NOTHING or word in ("$ref", "additionalProperties"):
            continue
        if word == "type":
            fits = isinstance(value, TYPES[said]) and not (isinstance(value, bool) and said != "boolean")
        elif word == "const":
            fits = value == said
        elif word == "enum":
            fits = value in said
        elif word == "pattern":
            fits = not isinstance(value, str) or re.search(said, value)
        elif word == "minimum":
            fits = not isinstance(value, int) or value >= said
        elif word in ("minItems", "maxItems"):
            fits = not isinstance(value, list) or (len(value) >= said if word == "minItems" else len(value) <= said)
        elif word == "required":
            fits = not isinstance(value, dict) or all(each in value for each in said)
        elif word == "oneOf":
            fits = sum(not list(own_problems(value, each, root, where)) for each in said) == 1
        elif word == "items":
            fits = True
            for i, each in enumerate(value if isinstance(value, list) else []):
                yield from own_problems(each, said, root, f"{where}[{i}]")
        elif word == "properties":
            members = value if isinstance(value, dict) else {}
            fits = schema.get("additionalProperties", True) or all(each in said for each in members)
            for name, each in members.items():
                yield from own_problems(each, said.get(name, {}), root, f"{where}.{name}")
        else:
            raise ValueError(f"the schema uses `{word}`, which json_schema.py does not know")
        if not fits:
            yield f"{where}: {word}"


def problems(value, schema):
    """A list of places and keywords; empty when the value is as the schema says."""
    found = list(own_problems(value, schema, schema, "$"))
    try:
        import jsonschema
    except ImportError:
        return found
    theirs = list(jsonschema.Draft202012Validator(schema).iter_errors(value))
    if bool(theirs) != bool(found):
        raise AssertionError(f"json_schema.py says {found}, jsonschema says {theirs}")
    return found
