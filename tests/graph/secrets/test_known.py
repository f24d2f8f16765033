"""Which values count as secrets: of the environment, of connection strings in any reading, of a model's client."""

from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_openai import ChatOpenAI
from pydantic import SecretStr
from tables import table

from wavegraph.graph.secrets.known import in_environment, in_headers, in_model, names_secret, passwords_in
from wavegraph.testing import ScriptedModel


@table(
    "name",
    ["OPENAI_API_KEY", "LANGSMITH_API_KEY", "SECRET_KEY", "GITHUB_TOKEN", "PGPASSWORD", "MINI_PASSWORD", "DB_PASS", "db_pwd",
     "CLIENT_SECRET", "APIKEY", "API_KEYS", "SSH_PASSPHRASE", "AWS_SECRET_ACCESS_KEY", "authorization", "X-Api-Key"],
)  # fmt: skip
def test_a_secret_is_known_by_its_name(name: str) -> None:
    assert names_secret(name)


@table(
    "name", ["PWD", "OLDPWD", "MONKEY", "KEYBOARD", "TOKENIZER", "PASSENGERS", "COMPASS", "PATH", "HOME", "SECRET_FILE"]
)
def test_another_is_not(name: str) -> None:
    assert not names_secret(name)


def found(**environ: str) -> set[str]:
    return set(in_environment(environ))


def test_the_environment_s_secrets() -> None:
    assert found(MINI_PASSWORD=" Zq7 x ", HOME="/home/desk", LANG="C") == {"Zq7 x", "Zq7", "x"}
    assert found(API_KEYS="Zq7-one,Zq7-two") >= {"Zq7-one", "Zq7-two"}
    assert found(TLS_KEY="/tmp", MAX_TOKENS="4000", PWD="/srv") == set()
    assert found(HTTPS_PROXY="http://desk:Zq7@proxy.example:3128") == {"Zq7"}
    assert found(WAVEGRAPH_DATABASE="host=db user=desk password='Zq7 x'") >= {"Zq7 x"}
    assert found(GOOGLE="""{"type": "x", "private_key": "Zq7", "a": [{"client_secret": "Zq8"}]}""") == {"Zq7", "Zq8"}
    assert found(LANGGRAPH_AUTH='{"path": "./auth.py:auth"}', BROKEN="{") == set()
    assert found(OPENAI_BASE_URL="http://127.0.0.1:8080/v1?to=a@b") == set()


@table(
    "address",
    ["postgresql://desk:{}@db.example/hotel", "postgres://desk:{}@db.example", "postgresql+psycopg://desk:{}@db/hotel",
     "postgresql://:{}@db", "postgresql://desk:{}@", "postgresql://db/hotel?user=desk&password={}&sslmode=require",
     "postgresql://db/hotel?sslpassword={}", "host=db password={}", "password = '{}' host=db", "password='{}", "PASSWORD={}",
     "mysql://desk:{}@db", "https://desk:{}@pms.example/ari?room=1", "postgres:desk:{}@db/hotel", "desk:{}@db/hotel"],
)  # fmt: skip
@table("password", ["Zq7", "Zq7:x", "Zq%40%2F7", "Zq7#x", "Zq7é"])
def test_the_password_of_an_address(address: str, password: str) -> None:
    assert password in set(passwords_in(address.format(password)))


@table("password", ["Zq7@x", "Zq7/x", "Zq7?x", "Zq7#x@/y", "@Zq7", "Zq7 x", "Zq7:@/#?x"])
def test_a_password_with_its_signs_as_they_are_is_found_in_one_reading(password: str) -> None:
    assert password in set(passwords_in(f"postgresql://desk:{password}@db.example:5432/hotel"))


@table(
    ("written", "meant"),
    [
        ("Zq7%40x", "Zq7@x"),
        ("Zq7+x", "Zq7 x"),
        (r"'Zq7\' x'", "Zq7' x"),
        ("'it''s Zq7'", "it's Zq7"),
        (r"Zq7\ x", "Zq7 x"),
    ],
)
def test_a_password_is_found_as_it_is_meant(written: str, meant: str) -> None:
    assert meant in set(passwords_in(f"host=db password={written} dbname=hotel"))


class Holder(ScriptedModel):
    """A model with keys of its own kind, around another."""

    own_key: SecretStr
    inner: BaseChatModel
    headers: dict[str, Any]
    base_url: str


def test_the_keys_of_a_model_and_of_the_one_within() -> None:
    inner = ChatOpenAI(api_key=SecretStr("Zq7-inner"), model="m", default_headers={"X-Api-Key": "Zq7-header"})
    headers = {"Authorization": "Bearer Zq7-bearer", "Accept": "text/plain", "x-token": SecretStr("Zq7-token")}
    outer = Holder(own_key=SecretStr("Zq7-own"), inner=inner, headers=headers, base_url="https://u:Zq7-url@h/v1")

    keys = {"Zq7-inner", "Zq7-header", "Zq7-bearer", "Zq7-token", "Zq7-own", "Zq7-url"}
    assert set(in_model(outer)) == keys


def test_a_function_that_makes_a_model_holds_no_key() -> None:
    assert list(in_model(lambda: None)) == []


def test_headers_log_in_with_and_without_a_scheme() -> None:
    assert set(in_headers({"Authorization": "Zq7-bare", "Proxy-Authorization": "Basic Zq8", "Host": "h", 7: "x"})) == {
        "Zq7-bare",
        "Zq8",
    }
