"""`sitewright completion`: the script that lets a shell complete our commands."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

SHELLS = ("bash", "zsh", "fish")


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def command(context: click.Context, shell: str) -> None:
    """Print the completion script for a shell.

    \b
    Example:
      sitewright completion bash > ~/.local/share/bash-completion/completions/sitewright
      sitewright completion zsh > "${fpath[1]}/_sitewright"
      sitewright completion fish > ~/.config/fish/completions/sitewright.fish
    """
    completion = get_completion_class(shell)
    program = context.find_root().command
    if completion is not None:
        script = completion(program, {}, "sitewright", "_SITEWRIGHT_COMPLETE")
        click.echo(script.source())
