// SPDX-License-Identifier: Apache-2.0
// Light or dark: follows the system until the button is used.
'use strict';

const systemIsDark = matchMedia('(prefers-color-scheme: dark)');

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === 'dark' : systemIsDark.matches;
}

/** Calls `changed` when the colours change. */
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

/** Returns the current value of a style sheet variable, for charts that the style sheet does not draw. */
function colour(variable) {
  const probe = make('span', {hidden: true});
  probe.style.color = `var(${variable})`;
  document.body.append(probe);
  const value = getComputedStyle(probe).color;
  probe.remove();
  return value;
}
