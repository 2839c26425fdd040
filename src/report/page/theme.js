// SPDX-License-Identifier: Apache-2.0
// Light or dark: as the system says, until the button says otherwise.
'use strict';

const systemIsDark = matchMedia('(prefers-color-scheme: dark)');

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === 'dark' : systemIsDark.matches;
}

/** `changed` is called when colours are others than before. */
function watchTheme(changed) {
  const button = document.getElementById('theme');
  const say = () => {
    button.textContent = isDark() ? 'Light colours' : 'Dark colours';
    changed();
  };
  button.addEventListener('click', () => {
    document.documentElement.dataset.theme = isDark() ? 'light' : 'dark';
    say();
  });
  systemIsDark.addEventListener('change', say);
  say();
}

/** What a variable of the style sheet is now, for what is not drawn by it. */
function colour(variable) {
  const probe = make('span', {hidden: true});
  probe.style.color = `var(${variable})`;
  document.body.append(probe);
  const value = getComputedStyle(probe).color;
  probe.remove();
  return value;
}
